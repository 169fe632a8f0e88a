# Puts CDF and matrixStats into a library of the project's own.
#
#   Rscript r_reference/install.R
#   Rscript r_reference/install.R comparators   # RRF and rknn, too: the experiment needs them
#
# In:  PYCDF_R_LIBRARY  the library's folder (default: .r-library in the project root)
#      PYCDF_CRAN       a folder of source packages to install from (default: CRAN itself)
# Out: the library, and one line per package with its version and place. What is already there and
#      right is left alone. Anything that would give other forests than the reference ends in an error.

WANTED_CDF <- "0.1.0"
OLDEST_MATRIXSTATS <- "1.0.0"
WANTED_RKNN <- "1.2"
WANTED <- c(
  matrixStats = paste(">=", OLDEST_MATRIXSTATS), CDF = WANTED_CDF, RRF = "any version", rknn = WANTED_RKNN
)
WHY <- paste0(
  "matrixStats before ", OLDEST_MATRIXSTATS, " computes sd without refining the mean: ",
  "on data with ties CDF then grows other forests than the reference."
)

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
if (length(script) != 1L) stop("run this file with Rscript: Rscript r_reference/install.R")
root <- dirname(dirname(normalizePath(script)))
# A library's path handed to R must hold when R runs in another folder: make it absolute.
library_path <- Sys.getenv("PYCDF_R_LIBRARY", file.path(root, ".r-library"))
dir.create(library_path, recursive = TRUE, showWarnings = FALSE)
library_path <- normalizePath(library_path, mustWork = TRUE)
.libPaths(c(library_path, .libPaths()))

installed <- function(package) {
  suppressWarnings(utils::packageDescription(package, lib.loc = library_path, fields = "Version"))
}
right_cdf <- function(version) !is.na(version) && package_version(version) == WANTED_CDF
right_matrixstats <- function(version) {
  !is.na(version) && package_version(version) >= OLDEST_MATRIXSTATS
}
right_rrf <- function(version) !is.na(version)
right_rknn <- function(version) !is.na(version) && package_version(version) == WANTED_RKNN

# ---- where source packages come from: a folder, or CRAN ----------------------------------------

versions_in <- function(folder, package) {
  pattern <- paste0("^", package, "_([0-9][0-9.-]*)\\.tar\\.gz$")
  files <- list.files(folder, pattern = pattern)
  list(files = files, versions = package_version(sub(pattern, "\\1", files)))
}

from_folder <- function(folder) {
  if (!dir.exists(folder)) stop("PYCDF_CRAN names a folder that does not exist: ", folder)
  stats <- versions_in(folder, "matrixStats")
  if (!length(stats$files)) stop("no matrixStats_*.tar.gz in PYCDF_CRAN: ", folder)
  newest <- which(stats$versions == max(stats$versions))[1L]
  if (stats$versions[newest] < OLDEST_MATRIXSTATS) {
    stop("the newest matrixStats in PYCDF_CRAN is ", format(stats$versions[newest]), ". ", WHY)
  }
  cdf <- versions_in(folder, "CDF")
  wanted <- which(cdf$versions == WANTED_CDF)
  if (!length(wanted)) stop("no CDF_", WANTED_CDF, ".tar.gz in PYCDF_CRAN: ", folder)
  list(
    matrixStats = function() install_file(file.path(folder, stats$files[newest])),
    CDF = function() install_file(file.path(folder, cdf$files[wanted])),
    RRF = function() install_newest(folder, "RRF"),
    rknn = function() {
      if (!requireNamespace("gmp", quietly = TRUE)) {
        stop("rknn needs R's package gmp (Debian: apt-get install r-cran-gmp)")
      }
      install_newest(folder, "rknn")
    }
  )
}

install_newest <- function(folder, package) {
  found <- versions_in(folder, package)
  if (!length(found$files)) stop("no ", package, "_*.tar.gz in PYCDF_CRAN: ", folder)
  install_file(file.path(folder, found$files[which(found$versions == max(found$versions))[1L]]))
}

install_file <- function(file) {
  utils::install.packages(file, lib = library_path, repos = NULL, type = "source", quiet = TRUE)
}

from_cran <- function() {
  repos <- getOption("repos")
  if (any(repos == "@CRAN@")) utils::chooseCRANmirror(ind = 1L, local.only = TRUE)
  list(
    matrixStats = function() {
      utils::install.packages("matrixStats", lib = library_path, quiet = TRUE)
    },
    CDF = function() {
      listed <- utils::available.packages(filters = c("R_version", "duplicates"))
      if ("CDF" %in% rownames(listed) && right_cdf(listed["CDF", "Version"])) {
        utils::install.packages("CDF", lib = library_path, dependencies = FALSE, quiet = TRUE)
      } else {
        install_archived("CDF", WANTED_CDF)
      }
    },
    RRF = function() utils::install.packages("RRF", lib = library_path, quiet = TRUE),
    rknn = function() {
      if (!requireNamespace("gmp", quietly = TRUE)) {
        utils::install.packages("gmp", lib = library_path, quiet = TRUE)
      }
      install_archived("rknn", WANTED_RKNN)
    }
  )
}

# CRAN keeps what a newer version has replaced, and what nobody maintains, in its archive.
install_archived <- function(package, version) {
  file <- paste0(package, "_", version, ".tar.gz")
  source_url <- utils::contrib.url(getOption("repos")["CRAN"], "source")
  target <- file.path(tempdir(), file)
  utils::download.file(paste(source_url, "Archive", package, file, sep = "/"), target, quiet = TRUE)
  install_file(target)
}

# ---- install what is not there -----------------------------------------------------------------

right <- list(matrixStats = right_matrixstats, CDF = right_cdf)
if ("comparators" %in% commandArgs(TRUE)) right <- c(right, RRF = right_rrf, rknn = right_rknn)
needs <- Filter(function(package) !right[[package]](installed(package)), names(right))
if (length(needs)) {
  folder <- Sys.getenv("PYCDF_CRAN")
  sources <- if (nzchar(folder)) from_folder(folder) else from_cran()
  for (package in needs) {
    cat("installing ", package, " from ", if (nzchar(folder)) "PYCDF_CRAN" else "CRAN", "\n", sep = "")
    sources[[package]]()
    # install.packages() only warns when it fails; what counts is what is there afterwards.
    if (!right[[package]](installed(package))) {
      stop(
        package, " could not be installed into ", library_path, " (needed: ", WANTED[[package]],
        "). Without a way to CRAN, name a folder of source packages in PYCDF_CRAN."
      )
    }
  }
}

# ---- check what a session that uses the library really loads ------------------------------------
# A profile or a system library may stand ahead of ours, so a fresh R is asked, not this one.

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
if (!right_matrixstats(answer[5L])) {
  stop(
    "a fresh R session loads matrixStats ", answer[5L], " from ", dirname(answer[6L]),
    ", which stands ahead of ", library_path, " in .libPaths(). ", WHY
  )
}
if (!right_cdf(answer[2L])) {
  stop("a fresh R session loads CDF ", answer[2L], " from ", dirname(answer[3L]),
       "; the reference is CDF ", WANTED_CDF, ".")
}
for (package in setdiff(names(right), c("CDF", "matrixStats"))) {
  cat(package, " ", installed(package), " in ", library_path, "\n", sep = "")
}
