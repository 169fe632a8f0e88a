# Modifies the installed CDF::CDF so that it exposes its internals. None of its code is kept here.
#
#      traced_cdf(...)     CDF's own call and answer, plus `trace`: every node of every tree in plain
#                          vectors, the votes, and how often R took the branches that are difficult to mirror
#      class_separability  the score function inside CDF
#      plain_forest(...)   nested trees as vectors (used by the above)
#
# The function's body is edited as a language object: a few expressions, identified below by their
# form, are wrapped or get one more list entry. Each must occur exactly as often as expected, so that
# another version of the package gives an error and not a wrong trace. Nothing that is added draws a
# random number or changes a value that CDF uses.

# ---- editing a function's body -------------------------------------------------------------------

replace_expression <- function(body, from, to, times) {
  found <- 0L
  walk <- function(e) {
    if (identical(e, from)) {
      found <<- found + 1L
      return(to)
    }
    for (i in seq_along(e)) if (is.call(e[[i]])) e[[i]] <- walk(e[[i]])
    e
  }
  body <- walk(body)
  if (found != times) {
    stop(
      "expected ", times, " times in CDF::CDF, found ", found, " times: ", deparse(from)[1L],
      "\nThe installed CDF ", format(utils::packageVersion("CDF")), " is not the one that is traced."
    )
  }
  body
}

add_entries <- function(call, entries) as.call(c(as.list(call), entries))

inner_function <- function(fun, name) {
  is_it <- function(e) is.call(e) && identical(e[[1L]], quote(`<-`)) && identical(e[[2L]], as.name(name))
  hit <- Filter(is_it, as.list(body(fun)))
  if (length(hit) != 1L) stop("CDF::CDF has no inner function ", name)
  eval(hit[[1L]][[3L]], new.env(parent = environment(fun)))
}

# ---- functions that the edited body calls: they count, and return their argument ---------------------

COUNTS <- c(
  "partition_ties", "missing_branches", "no_finite_distance", "skipped_pairs", "all_pairs_skipped",
  "near_ties", "equal_scores"
)
met <- new.env()
reset_counts <- function() for (name in COUNTS) assign(name, 0, envir = met)
count <- function(name, n = 1) met[[name]] <- met[[name]] + n

stream_position <- function() get(".Random.seed", envir = globalenv())[2L]

# max.col draws only to break ties. A row's ties draw one number each, far fewer than the 624 after
# which the position comes round for the nodes of a small case; for bigger ones this is a lower bound.
count_ties <- function(partition) {
  before <- stream_position()
  force(partition)
  count("partition_ties", (stream_position() - before) %% 624)
  partition
}
count_missing_branch <- function(class) { count("missing_branches"); class }
count_no_finite_distance <- function(class) { count("no_finite_distance"); class }
count_skipped_pairs <- function(pairs) {
  skipped <- is.na(pairs)
  if (any(skipped)) {
    count("skipped_pairs", sum(skipped))
    count("all_pairs_skipped", sum(rowSums(skipped) == ncol(pairs)))
  }
  pairs
}
# Neighbours among the scores that decide the selection: equal ones keep candidate order, and nearly
# equal ones are decided by the last bits of means, sds and sums.
count_near_ties <- function(order, scores, k) {
  if (length(order) > 1L) {
    best <- scores[order[seq_len(min(k + 1L, length(order)))]]
    gap <- -diff(best)
    at <- best[-length(best)]
    count("equal_scores", sum(gap == 0, na.rm = TRUE))
    count("near_ties", sum(gap > 0 & gap <= 1e-9 * at, na.rm = TRUE))
  }
  order
}

# ---- the traced function -----------------------------------------------------------------------------

trace_function <- function(fun) {
  fun <- utils::removeSource(fun)
  b <- body(fun)
  facts <- list(rows = quote(nrow(X)), counts = quote(tabulate(match(y, class_levels), length(class_levels))))
  wrap <- function(f, call, ...) as.call(c(list(f, call), list(...)))

  # Nodes: leaves and inner nodes also record their number of rows of each class.
  leaf <- quote(list(class = majority(y)))
  b <- replace_expression(b, leaf, add_entries(leaf, facts), 7L)
  inner <- quote(list(centroids = cents, selected_indices = sel, branches = vector("list", length(cents))))
  b <- replace_expression(b, inner, add_entries(inner, facts), 1L)

  # Difficult branches.
  partition <- quote(max.col(-dist_mat))
  b <- replace_expression(b, partition, wrap(count_ties, partition), 1L)
  missing <- quote(if (is.null(child)) return(class_levels[1L]))
  to <- missing
  to[[3L]][[2L]] <- wrap(count_missing_branch, missing[[3L]][[2L]])
  b <- replace_expression(b, missing, to, 1L)
  nowhere <- quote(if (!length(dists) || all(!is.finite(dists))) return(class_levels[1L]))
  to <- nowhere
  to[[3L]][[2L]] <- wrap(count_no_finite_distance, nowhere[[3L]][[2L]])
  b <- replace_expression(b, nowhere, to, 1L)
  pairs <- quote(rowSums(snr_matrix, na.rm = TRUE))
  to <- pairs
  to[[2L]] <- wrap(count_skipped_pairs, pairs[[2L]])
  b <- replace_expression(b, pairs, to, 1L)
  ranking <- quote(order(snr, decreasing = TRUE))
  b <- replace_expression(b, ranking, wrap(count_near_ties, ranking, quote(snr), quote(k)), 1L)

  # The answer: CDF's own entries, then the inside of its frame.
  answer <- b[[length(b)]]
  if (!identical(names(answer), c("", "predictions", "probabilities", "feature_importance"))) {
    stop("CDF::CDF does not end in the answer that is traced.")
  }
  b[[length(b)]] <- add_entries(answer, list(inside = quote(list(
    trees = trees, votes = vote_mat, classes = class_levels, importance_counts = feat_imp_global,
    kept = seq_along(all_na_tr)[!all_na_tr][!zero_var], kept_names = colnames(Xtr),
    k = k, mtry = mtry, ntrees = ntrees, depth = depth, mnode = mnode
  ))))
  body(fun) <- b
  compiler::cmpfun(fun)
}

# ---- nested trees as vectors -----------------------------------------------------------------------------
# Nodes in preorder: a node, then its branches in ascending order, each with all below it. Everything
# is counted from 0, and -1 stands for none. `classes` and `columns` of all nodes follow each other
# (class_count and column_count per node); so do the centroids, class by class within a node.

plain_forest <- function(trees, class_levels) {
  size <- function(node) {
    below <- 0L
    for (branch in node$branches) if (!is.null(branch)) below <- below + size(branch)
    1L + below
  }
  sizes <- vapply(trees, size, 1L)
  n <- sum(sizes)
  node_number <- sequence(sizes) - 1L
  parent <- branch <- depth <- rows <- leaf <- integer(n)
  counts <- matrix(0L, n, length(class_levels))
  columns <- classes <- centroids <- vector("list", n)
  at <- 0L
  visit <- function(node, of, position, level) {
    at <<- at + 1L
    here <- at
    parent[here] <<- of
    branch[here] <<- position
    depth[here] <<- level
    rows[here] <<- node$rows
    counts[here, ] <<- node$counts
    if (is.null(node$branches)) {
      leaf[here] <<- match(node$class, class_levels) - 1L
    } else {
      leaf[here] <<- -1L
      columns[[here]] <<- node$selected_indices - 1L
      classes[[here]] <<- match(names(node$centroids), class_levels) - 1L
      centroids[[here]] <<- unlist(node$centroids, use.names = FALSE)
      for (i in seq_along(node$branches)) {
        if (!is.null(node$branches[[i]])) visit(node$branches[[i]], node_number[here], i - 1L, level + 1L)
      }
    }
  }
  for (tree in trees) visit(tree, -1L, -1L, 0L)
  list(
    tree = rep(seq_along(trees) - 1L, sizes), node = node_number, parent = parent, branch = branch,
    depth = depth, rows = rows, leaf = leaf, counts = counts,
    class_count = lengths(classes), classes = as.integer(unlist(classes)),
    column_count = lengths(columns), columns = as.integer(unlist(columns)),
    centroids = as.double(unlist(centroids))
  )
}

# ---- what the other scripts and the parity suite use -------------------------------------------------------

class_separability <- inner_function(CDF::CDF, "calculate_snr")
cdf_with_inside <- trace_function(CDF::CDF)

traced_cdf <- function(...) {
  reset_counts()
  answer <- cdf_with_inside(...)
  inside <- answer$inside
  list(
    predictions = answer$predictions,
    probabilities = answer$probabilities,
    feature_importance = answer$feature_importance,
    forest = plain_forest(inside$trees, inside$classes),
    votes = matrix(match(inside$votes, inside$classes) - 1L, nrow(inside$votes)),
    classes = inside$classes,
    importance_counts = inside$importance_counts,
    kept = inside$kept - 1L,
    settings = unlist(inside[c("ntrees", "depth", "mnode", "k", "mtry")]),
    met = vapply(COUNTS, function(name) met[[name]], 0)
  )
}
