# Records R's answers, so that a machine without R can be compared with them.
#
#   Rscript r_reference/record_golden.R [folder]        (default: tests/golden)
#
# Uses the installed packages CDF and matrixStats, the cases in golden_cases.R and CDF's DARWIN data.
# Writes versions.json, stream.json, scores.json, darwin.json and forest_<case>.json; repeated runs
# write the same bytes. Older JSON files in the folder are replaced.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
if (length(script) != 1L) stop("run this file with Rscript: Rscript r_reference/record_golden.R")
here <- dirname(normalizePath(script))
given <- commandArgs(TRUE)
folder <- if (length(given)) given[1L] else file.path(dirname(here), "tests", "golden")

own_library <- Sys.getenv("PYCDF_R_LIBRARY", file.path(dirname(here), ".r-library"))
if (dir.exists(own_library)) .libPaths(c(normalizePath(own_library), .libPaths()))
if (!requireNamespace("CDF", quietly = TRUE) || utils::packageVersion("matrixStats") < "1.0.0") {
  stop("CDF and matrixStats >= 1.0.0 are needed: Rscript r_reference/install.R")
}

# Answers depend on the order of labels: R has to sort as ICU's root collation does. ICU's collator is
# opened by the first comparison, so compare before asking which one it is.
code_point_order <- function() {
  Sys.setlocale("LC_COLLATE", "C")
  stopifnot(identical(sort(c("control", "PD")), c("PD", "control")))
}
root_order <- function() {
  suppressWarnings(Sys.setlocale("LC_COLLATE", "C.UTF-8"))
  sorted <- sort(c("PD", "control"))
  if (!identical(sorted, c("control", "PD")) || !identical(icuGetCollate(), "root") || !l10n_info()[["UTF-8"]]) {
    stop("R does not sort in ICU's root order here. Start it with LC_ALL=C.UTF-8; it must be built with ICU.")
  }
}
root_order()
RNGkind("Mersenne-Twister", "Inversion", "Rejection")

for (file in c("json.R", "trace.R", "golden_cases.R")) source(file.path(here, file), encoding = "UTF-8")

# ---- one forest --------------------------------------------------------------------------------------

# One line per node: tree, node, parent, branch, depth, rows, leaf class, classes in centroid order,
# selected columns in order, centroids (class by class).
node_lines <- function(forest) {
  slices <- function(values, counts) {
    ends <- cumsum(counts)
    lapply(seq_along(counts), function(i) values[seq_len(counts[i]) + (ends[i] - counts[i])])
  }
  classes <- slices(forest$classes, forest$class_count)
  columns <- slices(forest$columns, forest$column_count)
  centroids <- slices(forest$centroids, forest$class_count * forest$column_count)
  paste0(
    "[", forest$tree, ",", forest$node, ",", forest$parent, ",", forest$branch, ",", forest$depth, ",",
    forest$rows, ",", forest$leaf, ",", vapply(classes, json_integers, ""), ",",
    vapply(columns, json_integers, ""), ",", vapply(centroids, json_doubles, ""), "]"
  )
}

md5_of_each <- function(texts) {
  files <- file.path(tempfile("digest"), sprintf("%06d", seq_along(texts)))
  dir.create(dirname(files[1L]))
  on.exit(unlink(dirname(files[1L]), recursive = TRUE))
  for (i in seq_along(texts)) writeBin(charToRaw(texts[i]), files[i])
  unname(tools::md5sum(files))
}

# Whole trees up to `whole`; of every tree the MD5 of its lines, so that a difference further on is
# still tied to its tree.
answer_entries <- function(answer, whole = Inf) {
  forest <- answer$forest
  lines <- node_lines(forest)
  digests <- md5_of_each(vapply(split(lines, forest$tree), paste, "", collapse = "\n"))
  entries <- list(
    classes = json_strings(answer$classes),
    kept = json_integers(answer$kept),
    predictions = json_strings(answer$predictions),
    probabilities = json_list(apply(answer$probabilities, 1L, json_doubles), lines = TRUE),
    feature_importance = json_doubles(answer$feature_importance),
    nodes = json_list(lines[forest$tree < whole], lines = TRUE)
  )
  if (is.finite(whole)) {
    entries$tree_md5 <- json_list(json_text(digests), lines = TRUE)
    entries$votes_md5 <- json_text(md5_of_each(json_list(apply(answer$votes, 1L, json_integers))))
  } else {
    entries$votes <- json_list(apply(answer$votes, 1L, json_integers), lines = TRUE)
  }
  entries
}

json_names <- function(x) if (is.null(colnames(x))) "null" else json_strings(colnames(x))
json_labels <- function(y) if (is.integer(y)) json_integers(y) else json_strings(y)
json_call <- function(call) json_object(lapply(call, function(v) format(v, digits = 15)))

seed_with <- function(seed, sample_kind) suppressWarnings(set.seed(seed, sample.kind = sample_kind))

record_case <- function(name, case) {
  if (case$collation == "C") code_point_order()
  on.exit(root_order())
  before <- NULL
  if (is.null(case$call$seed)) {
    seed_with(77, case$sample_kind)
    on.exit(RNGkind(sample.kind = "Rejection"), add = TRUE)
    before <- sample(30, 7)
  }
  answer <- do.call(traced_cdf, c(list(case$xtrain, case$ytrain, case$xtest), case$call))
  entries <- list(
    about = json_text(case$about),
    xtrain = json_matrix(case$xtrain), xtrain_names = json_names(case$xtrain),
    ytrain = json_labels(case$ytrain),
    xtest = json_matrix(case$xtest), xtest_names = json_names(case$xtest),
    call = json_call(case$call), collation = json_text(case$collation)
  )
  if (!is.null(before)) {
    entries$stream <- json_object(list(
      seed = "77", sample_kind = json_text(case$sample_kind), sample = "[30,7]", values = json_integers(before), uniforms_after = json_doubles(runif(5))
    ))
  }
  write_json(c(entries, answer_entries(answer)), file.path(folder, paste0("forest_", name, ".json")))
}

# ---- the stream -------------------------------------------------------------------------------------------

record_stream <- function() {
  seeds <- c(0, 1, -1, 42, 2025, -123456789, 2147483647, -2147483647)
  # More than 624 numbers, so that the generator's state comes round; the first ones to look at.
  uniforms <- vapply(seeds, function(seed) {
    set.seed(seed)
    u <- runif(700)
    sprintf(
      "{\"seed\": %.0f, \"n\": 700, \"first\": %s, \"md5\": \"%s\", \"next\": %s}",
      seed, json_doubles(u[1:4]), md5_of_each(hex_digits(u)), json_doubles(runif(3))
    )
  }, "")
  samples <- list()
  draw <- function(seed, n, size, replace, prob = NULL, sample_kind = "Rejection") {
    seed_with(seed, sample_kind)
    values <- sample.int(n, size, replace, prob)
    # The uniform drawn afterwards shows that the stream is in the same state as R's.
    samples[[length(samples) + 1L]] <<- sprintf(
      "{\"seed\": %.0f, \"n\": %.0f, \"size\": %.0f, \"replace\": %s, %s\"values\": %s, \"next\": %s}",
      seed, n, size, if (replace) "true" else "false",
      paste0(
        "",
        if (!is.null(prob)) sprintf("\"prob\": %s, ", json_doubles(prob)),
        if (sample_kind != "Rejection") sprintf("\"sample_kind\": \"%s\", ", sample_kind)
      ),
      json_integers(values), json_doubles(runif(1))
    )
  }
  for (n in c(1, 2, 3, 7, 255, 256, 257, 65535, 65536, 65537, 131072, 1e6, 1e7)) {
    for (seed in seeds[seq_len(4L) + 4L * (n %% 2)]) {
      draw(seed, n, 12, TRUE)
      draw(seed, n, min(n, 12), FALSE)
    }
  }
  for (n in c(1e7 + 1, 2^31 - 1)) for (seed in seeds[1:3]) draw(seed, n, 12, FALSE) # R hashes from here on
  for (n in c(2^31 - 1, 2^31, 2^33 + 1)) for (seed in seeds[1:3]) draw(seed, n, 6, TRUE)
  draw(3, 300, 300, FALSE)
  draw(4, 300, 300, TRUE)
  for (kind in c("Rejection", "Rounding")) {
    for (prob in list(c(5, 3, 2), rep(1, 9), c(0, 2, 1, 0, 2, 1, 2), 1 / (1:60), c(1:150, 150:1))) {
      draw(5, length(prob), 20, TRUE, prob, kind)
      draw(6, length(prob), min(sum(prob > 0), 20), FALSE, prob, kind)
    }
  }
  for (n in c(1, 7, 256, 65537, 2e7, 2^31 - 1, 2^31 + 1)) {
    draw(7, n, 12, TRUE, sample_kind = "Rounding")
    draw(8, n, min(n, 12), FALSE, sample_kind = "Rounding")
  }
  RNGkind(sample.kind = "Rejection")
  normals <- vapply(seeds, function(seed) {
    set.seed(seed)
    z <- rnorm(700, 3, 2)
    sprintf(
      "{\"seed\": %.0f, \"n\": 700, \"mean\": 3, \"sd\": 2, \"first\": %s, \"md5\": \"%s\", \"next\": %s}",
      seed, json_doubles(z[1:4]), md5_of_each(hex_digits(z)), json_doubles(rnorm(3))
    )
  }, "")
  write_json(list(
    uniforms = json_list(uniforms, lines = TRUE), samples = json_list(unlist(samples), lines = TRUE),
    normals = json_list(normals, lines = TRUE)
  ), file.path(folder, "stream.json"))
}

# ---- class separability scores ------------------------------------------------------------------------------

record_scores <- function() {
  entries <- lapply(c(
    "continuous", "five_classes", "integer_ties", "integer_ties_as_double", "binary", "missing_cells",
    "singletons", "own_class_each", "forty_classes", "cancellation", "near_ties"
  ), function(name) {
    case <- golden_cases[[name]]
    values <- class_separability(case$xtrain, case$ytrain)
    json_object(list(case = json_text(name), scores = json_doubles(values)))
  })
  write_json(list(scores = json_list(unlist(entries), lines = TRUE)), file.path(folder, "scores.json"))
}

# ---- DARWIN ---------------------------------------------------------------------------------------------------

record_darwin <- function() {
  store <- new.env()
  utils::data("DARWIN", package = "CDF", envir = store)
  x <- store$DARWIN[, names(store$DARWIN) != "Y"]
  y <- as.character(store$DARWIN$Y)
  set.seed(2025)
  train <- sample(nrow(x), 121)
  whole_numbers <- vapply(x, is.integer, TRUE)
  integers <- as.matrix(x[, whole_numbers])
  stopifnot(is.integer(integers))
  runs <- list(
    defaults = list(x = x, call = list(seed = 2025), whole = 4),
    deep = list(x = x, call = list(ntrees = 6, depth = 8, mnode = 1, k = 4, seed = 7), whole = Inf),
    integer_matrix = list(x = integers, call = list(ntrees = 40, depth = 5, k = 6, seed = 1), whole = 2)
  )
  entries <- lapply(runs, function(run) {
    answer <- do.call(traced_cdf, c(list(run$x[train, ], y[train], run$x[-train, ]), run$call))
    json_object(c(
      list(
        columns = json_integers(match(colnames(run$x), names(x)) - 1L),
        matrix = json_text(if (is.matrix(run$x)) "integer" else "double"),
        call = json_call(run$call),
        accuracy = json_doubles(mean(answer$predictions == y[-train]))
      ),
      answer_entries(answer, run$whole)
    ))
  })
  write_json(
    list(train = json_integers(train - 1L), shape = json_integers(dim(x)),
         runs = json_object(entries)),
    file.path(folder, "darwin.json")
  )
}

# ---- all of it --------------------------------------------------------------------------------------------------

dir.create(folder, recursive = TRUE, showWarnings = FALSE)
unlink(list.files(folder, pattern = "\\.json$", full.names = TRUE))
write_json(list(
  R = json_text(R.version.string), platform = json_text(R.version$platform),
  CDF = json_text(format(utils::packageVersion("CDF"))),
  matrixStats = json_text(format(utils::packageVersion("matrixStats"))),
  collation = json_text(paste("ICU", extSoftVersion()[["ICU"]], icuGetCollate())),
  long_double_bits = as.character(.Machine$longdouble.digits)
), file.path(folder, "versions.json"))
record_stream()
record_scores()
record_darwin()
for (name in names(golden_cases)) record_case(name, golden_cases[[name]])
files <- list.files(folder, pattern = "\\.json$", full.names = TRUE)
cat(length(files), "files,", round(sum(file.size(files)) / 1024), "KB in", folder, "\n")
