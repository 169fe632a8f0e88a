# Grows regularized random forests and predicts with them: the R side of rrf.py.
#
#   Rscript --vanilla rrf.R IN OUT
#   Rscript --vanilla rrf.R versions     # prints the versions of R and, if it is there, of RRF
#
# IN:  int      rows, columns, jobs
#      double   the matrix, column after column
#      int      a class for each row: 1, 2, ... (any number for rows that are only predicted)
#      for each job:
#        int      seed, rows to train on, rows to predict
#        double   ntree, mtry, nodesize, maxnodes, coefReg, flagReg (NaN: RRF's default)
#        int      the rows to train on, the rows to predict, counted from 1
# OUT: for each job:
#        int      a class for each row to predict
#        double   the votes, column after column, for the training rows' classes in ascending order
# Warnings go to stderr. An error ends the script with status 3 and its message alone on stderr.

# --vanilla skips the files that set environment variables. A user's or a site's may name the library
# with RRF in it, so they are read here; one in the current folder is not. --vanilla also empties
# R_ENVIRON and R_ENVIRON_USER, so rrf.py passes them under other names.
add_libraries <- function() {
  site <- Sys.getenv("PYCDF_R_ENVIRON", file.path(R.home("etc"), "Renviron.site"))
  for (file in c(site, Sys.getenv("PYCDF_R_ENVIRON_USER", "~/.Renviron"))) {
    if (nzchar(file) && file.exists(file)) readRenviron(file)
  }
  named <- Sys.getenv(c("R_LIBS", "R_LIBS_USER", "R_LIBS_SITE"))
  folders <- strsplit(.expand_R_libs_env_var(named), .Platform$path.sep, fixed = TRUE)
  .libPaths(c(.libPaths(), unlist(folders)))
}

main <- function(input, output) {
  if (!requireNamespace("RRF", quietly = TRUE)) stop("R has no package RRF")
  RNGkind("Mersenne-Twister", "Inversion", "Rejection")
  read <- function(what, n) readBin(input, what, n, endian = "little")
  size <- read("integer", 3L)
  x <- matrix(read("double", size[1L] * size[2L]), size[1L])
  y <- read("integer", size[1L])
  for (job in seq_len(size[3L])) {
    shape <- read("integer", 3L)
    given <- read("double", 6L)
    names(given) <- c("ntree", "mtry", "nodesize", "maxnodes", "coefReg", "flagReg")
    inside <- read("integer", shape[2L])
    left <- read("integer", shape[3L])
    set.seed(shape[1L])
    fit <- do.call(RRF::RRF, c(
      list(x = x[inside, , drop = FALSE], y = factor(y[inside])), as.list(given[!is.nan(given)])
    ))
    new <- x[left, , drop = FALSE]
    predicted <- predict(fit, new)
    writeBin(as.integer(as.character(predicted)), output, endian = "little")
    votes <- unclass(predict(fit, new, type = "vote", norm.votes = FALSE))
    writeBin(as.double(votes), output, endian = "little")
  }
}

given <- commandArgs(TRUE)
add_libraries()
if (identical(given, "versions")) {
  cat(format(getRversion()))
  if (requireNamespace("RRF", quietly = TRUE)) cat("", format(packageVersion("RRF")))
  quit(save = "no")
}
input <- file(given[1L], "rb")
output <- file(given[2L], "wb")
withCallingHandlers(
  tryCatch(main(input, output), error = function(problem) {
    message(conditionMessage(problem))
    quit(save = "no", status = 3L)
  }),
  warning = function(condition) {
    message(conditionMessage(condition))
    invokeRestart("muffleWarning")
  }
)
close(output)
