# Installs CDF and matrixStats into the project's own library.
#
#   Rscript r_reference/install.R
#   Rscript r_reference/install.R comparators   # also RRF and rknn, which the experiment uses
#
# PYCDF_R_LIBRARY    the library's folder (default: .r-library in the project root)
# PYCDF_CRAN         a folder of source packages to install from (default: CRAN itself)
# PYCDF_COMPARATORS  "must": a comparator that cannot be installed is an error;
#                    "try" (the default): it is reported, and the rest is compared without it
#
# Prints one line per package with its version and folder. Packages that are already correct are left
# alone; those built by another version of R are built again. Anything that would give forests other
# than the reference's is an error.

WANTED_CDF <- "0.1.0"
OLDEST_MATRIXSTATS <- "1.0.0"
WANTED_RKNN <- "1.2"
WHY <- paste0(
  "matrixStats before ", OLDEST_MATRIXSTATS, " computes sd without refining the mean: ",
  "on data with ties CDF then grows other forests than the reference."
)
COMPARATORS <- c("RRF", "gmp", "rknn") # rknn imports gmp
options(warning.length = 8000L)

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
if (length(script) != 1L) stop("run this file with Rscript: Rscript r_reference/install.R")
root <- dirname(dirname(normalizePath(script)))
# R may run in another folder later, so the library's path has to be absolute.
library_path <- Sys.getenv("PYCDF_R_LIBRARY", file.path(root, ".r-library"))
dir.create(library_path, recursive = TRUE, showWarnings = FALSE)
library_path <- normalizePath(library_path, mustWork = TRUE)
.libPaths(c(library_path, .libPaths()))
folder <- Sys.getenv("PYCDF_CRAN")
must <- switch(Sys.getenv("PYCDF_COMPARATORS", "try"),
  must = TRUE, try = FALSE, stop("PYCDF_COMPARATORS is either \"must\" or \"try\"")
)
this_r <- paste("R", getRversion())

# ---- what is there ------------------------------------------------------------------------------

right_version <- list(
  matrixStats = function(version) package_version(version) >= OLDEST_MATRIXSTATS,
  CDF = function(version) package_version(version) == WANTED_CDF,
  RRF = function(version) TRUE,
  gmp = function(version) TRUE,
  rknn = function(version) package_version(version) == WANTED_RKNN
)

described <- function(package, field) {
  suppressWarnings(utils::packageDescription(package, lib.loc = library_path, fields = field))
}

built_by <- function(package) sub("^R ([0-9.]+).*", "\\1", described(package, "Built"))

# A package with compiled code belongs to the R, up to the second number, that compiled it.
built_by_this_r <- function(package) {
  package_version(built_by(package))[, 1:2] == getRversion()[, 1:2]
}

in_library <- function(package) {
  version <- described(package, "Version")
  if (is.na(version) || !right_version[[package]](version)) return(FALSE)
  built_by_this_r(package)
}

load_error <- function(package) {
  tryCatch({
    loadNamespace(package)
    NULL
  }, error = conditionMessage)
}

# ---- installing one package; returns NULL, or in one line what went wrong -----------------------

install <- function(package) {
  if (!is.na(described(package, "Version")) && !built_by_this_r(package)) {
    cat(package, " in ", library_path, " was built by R ", built_by(package), ", and this is ",
        this_r, ": building it again\n", sep = "")
  }
  cat("installing ", package, " from ", if (nzchar(folder)) "PYCDF_CRAN" else "CRAN", "\n", sep = "")
  problem <- tryCatch(
    with_flags(
      package, if (nzchar(folder)) install_from_folder(package) else install_from_cran(package)
    ),
    error = conditionMessage
  )
  # Success is decided by what is installed afterwards.
  if (in_library(package)) return(NULL)
  if (is.character(problem)) problem else "could not be installed, and R does not say why"
}

install_from_folder <- function(package) {
  if (!dir.exists(folder)) stop("cannot be installed: PYCDF_CRAN names a folder that does not exist: ", folder)
  pattern <- paste0("^", package, "_([0-9][0-9.-]*)\\.tar\\.gz$")
  files <- list.files(folder, pattern = pattern)
  if (!length(files)) stop("is not in PYCDF_CRAN: no ", package, "_*.tar.gz in ", folder)
  versions <- package_version(sub(pattern, "\\1", files))
  fits <- vapply(as.character(versions), right_version[[package]], NA)
  if (!any(fits)) {
    stop("is in PYCDF_CRAN only as version ", paste(versions, collapse = ", "), ". ",
         if (package == "matrixStats") WHY)
  }
  newest <- which(versions == max(versions[fits]))[1L]
  install_file(package, file.path(folder, files[newest]))
}

install_from_cran <- function(package) {
  if (any(getOption("repos") == "@CRAN@")) utils::chooseCRANmirror(ind = 1L, local.only = TRUE)
  repository <- getOption("repos")[["CRAN"]]
  listed <- suppressWarnings(utils::available.packages(filters = c("R_version", "duplicates")))
  if (!nrow(listed)) {
    stop("cannot be fetched from ", repository,
         ". Without a way to CRAN, name a folder of source packages in PYCDF_CRAN.")
  }
  wanted <- c(CDF = WANTED_CDF, rknn = WANTED_RKNN)
  if (package %in% rownames(listed) && right_version[[package]](listed[package, "Version"])) {
    return(install_listed(package))
  }
  if (!package %in% names(wanted)) stop("is not on ", repository, " for ", this_r)
  # CRAN keeps replaced and unmaintained versions in its archive.
  file <- paste0(package, "_", wanted[[package]], ".tar.gz")
  target <- file.path(tempdir(), file)
  source_url <- utils::contrib.url(repository, "source")
  utils::download.file(paste(source_url, "Archive", package, file, sep = "/"), target, quiet = TRUE)
  install_file(package, target)
}

install_listed <- function(package) {
  old <- setwd(tempdir()) # install.packages() writes the compiler's output to the working folder
  on.exit(setwd(old))
  utils::install.packages(package, lib = library_path, quiet = TRUE, keep_outputs = TRUE)
  said <- paste0(package, ".out")
  if (file.exists(said)) tell_failure(package, readLines(said, warn = FALSE))
}

install_file <- function(package, file) {
  said <- suppressWarnings(system2(
    file.path(R.home("bin"), "R"),
    c("CMD", "INSTALL", "--no-docs", paste0("--library=", shQuote(library_path)), shQuote(file)),
    stdout = TRUE, stderr = TRUE,
    env = paste0("R_LIBS=", shQuote(paste(.libPaths(), collapse = .Platform$path.sep)))
  ))
  if (is.null(attr(said, "status"))) NULL else tell_failure(package, said)
}

# What two packages need from the compiler on newer versions of R:
NEEDED_FLAGS <- c(
  rknn = "CPPFLAGS += -DDOUBLE_XMAX=DBL_MAX", # a constant that R's headers no longer define
  gmp = "CXXFLAGS += -include iostream" # before R's headers, whose macro `length` spoils it
)

with_flags <- function(package, expression) {
  if (package %in% names(NEEDED_FLAGS)) {
    own <- tools::makevars_user()
    file <- file.path(tempdir(), "Makevars")
    writeLines(c(if (length(own)) paste("include", own), NEEDED_FLAGS[[package]]), file)
    before <- Sys.getenv("R_MAKEVARS_USER", NA)
    Sys.setenv(R_MAKEVARS_USER = file)
    on.exit(if (is.na(before)) Sys.unsetenv("R_MAKEVARS_USER") else Sys.setenv(R_MAKEVARS_USER = before))
  }
  expression # evaluated here, with the flags
}

# Shows the end of the installation's output; returns the first error of the compiler, or of R.
tell_failure <- function(package, said) {
  if (in_library(package)) return(NULL)
  cat("The last lines of R CMD INSTALL for ", package, ":\n", sep = "", file = stderr())
  cat(paste0("  ", utils::tail(said, 15L), "\n"), sep = "", file = stderr())
  compiler <- grep("(^|[^A-Za-z])(fatal )?error: ", said, value = TRUE)
  missing_tool <- grep("command not found|[:] not found|No such file or directory$", said, value = TRUE)
  from_r <- grep("^ERROR", said, value = TRUE)
  if (length(compiler)) return(paste0("does not compile on ", this_r, " (", compiler[1L], ")"))
  cause <- c(missing_tool, from_r, utils::tail(said, 1L))[1L]
  paste0("cannot be installed on ", this_r, " (", cause, ")")
}

# ---- the core: without it nothing can be compared -----------------------------------------------

for (package in c("matrixStats", "CDF")) {
  if (in_library(package)) next
  problem <- install(package)
  if (!is.null(problem)) stop("R's package ", package, " ", problem, call. = FALSE)
}

# ---- the comparators: one that is missing costs only its own tests ------------------------------

# gmp may come with the system, in another library.
install_gmp <- function() {
  problem <- load_error("gmp")
  if (is.null(problem)) return(NULL)
  if (nzchar(folder) && !length(list.files(folder, "^gmp_.*\\.tar\\.gz$"))) {
    return(paste0("is missing (Debian: apt-get install r-cran-gmp; R says: ", problem, ")"))
  }
  install("gmp")
}

problems <- character()
if ("comparators" %in% commandArgs(TRUE)) {
  for (package in COMPARATORS) {
    if (package != "gmp" && in_library(package)) next
    if (package == "rknn" && "gmp" %in% names(problems)) {
      problem <- paste("needs R's package gmp, which", problems[["gmp"]])
    } else {
      problem <- if (package == "gmp") install_gmp() else install(package)
    }
    if (is.null(problem) && package != "gmp") problem <- load_error(package)
    if (!is.null(problem)) problems[[package]] <- gsub("[[:space:]]+", " ", problem)
  }
  problems <- problems[names(problems) != "gmp"]
  # The parity suite repeats these lines in its summary.
  writeLines(sprintf("%s %s", names(problems), problems), file.path(library_path, "not-installed.txt"))
}

# ---- check what a session that uses the library really loads ------------------------------------
# A profile or a system library may come before ours, so this is asked of a new R.

code <- paste0(
  "invisible(loadNamespace('CDF')); for (p in c('CDF', 'matrixStats')) ",
  "cat(p, as.character(getNamespaceVersion(p)), getNamespaceInfo(p, 'path'), '', sep = '\\n')"
)
answer <- system2(
  file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)),
  stdout = TRUE, env = paste0("R_LIBS=", shQuote(library_path))
)
answer <- answer[nzchar(answer)]
if (length(answer) != 6L) stop("a fresh R session could not load CDF from ", library_path)
cat(R.version.string, "\n", sep = "")
for (start in c(1L, 4L)) {
  cat(answer[start], " ", answer[start + 1L], " in ", dirname(answer[start + 2L]), "\n", sep = "")
}
if (!right_version$matrixStats(answer[5L])) {
  stop(
    "a fresh R session loads matrixStats ", answer[5L], " from ", dirname(answer[6L]),
    ", which stands ahead of ", library_path, " in .libPaths(). ", WHY
  )
}
if (!right_version$CDF(answer[2L])) {
  stop("a fresh R session loads CDF ", answer[2L], " from ", dirname(answer[3L]),
       "; the reference is CDF ", WANTED_CDF, ".")
}
if ("comparators" %in% commandArgs(TRUE)) {
  for (package in setdiff(c("RRF", "rknn"), names(problems))) {
    cat(package, " ", described(package, "Version"), " in ", library_path, "\n", sep = "")
  }
}
for (package in names(problems)) {
  cat("not compared: ", package, " ", problems[[package]], "\n", sep = "")
}
if (must && length(problems)) {
  stop("PYCDF_COMPARATORS=must, and not all comparators could be installed", call. = FALSE)
}
