# An R competitor at the other end of a pipe: Rscript benchmarks/worker.R NAME
#
# Reads tab-separated commands, one per line (see workers.py), and answers each with one line. Only the
# call itself is timed: the data are in memory, and packages are loaded.

name <- commandArgs(TRUE)[1L]
package <- c(r_cdf = "CDF", ranger = "ranger")[[name]]
reply <- function(...) {
  cat(..., sep = "\t")
  cat("\n")
  flush(stdout())
}

matrix_of <- function(folder, file, rows, columns) {
  values <- readBin(file.path(folder, file), "double", rows * columns, endian = "little")
  matrix(values, rows, columns, byrow = TRUE)
}

load_data <- function(folder) {
  shape <- scan(file.path(folder, "shape.txt"), quiet = TRUE)
  data <- list(
    folder = folder,
    xtrain = matrix_of(folder, "train.f64", shape[1L], shape[2L]),
    xtest = matrix_of(folder, "test.f64", shape[3L], shape[2L]),
    ytrain = readLines(file.path(folder, "labels.txt"), encoding = "UTF-8")
  )
  colnames(data$xtrain) <- colnames(data$xtest) <- paste0("x", seq_len(shape[2L]))
  if (name == "ranger") {
    data$ytrain <- factor(data$ytrain)
  } else { # data frames, as read.csv() makes them and as pycdf gets them
    data$xtrain <- as.data.frame(data$xtrain)
    data$xtest <- as.data.frame(data$xtest)
  }
  data
}

call_r_cdf <- function(data, ntrees, seed) {
  CDF::CDF(data$xtrain, data$ytrain, data$xtest, ntrees = ntrees, seed = seed)$predictions
}

# No formula, which is slow with many columns, and no out-of-bag error, which none of the others computes.
call_ranger <- function(data, ntrees, seed) {
  forest <- ranger::ranger(
    x = data$xtrain, y = data$ytrain, num.trees = ntrees, num.threads = 1, oob.error = FALSE, seed = seed
  )
  stats::predict(forest, data$xtest, num.threads = 1)$predictions
}

run <- function(data, ntrees, seed) {
  call <- get(paste0("call_", name))
  invisible(gc())
  cpu <- sum(proc.time()[1:2])
  begin <- Sys.time() # proc.time() has milliseconds only
  predictions <- call(data, ntrees, seed)
  seconds <- as.numeric(difftime(Sys.time(), begin, units = "secs"))
  cpu <- sum(proc.time()[1:2]) - cpu
  writeLines(as.character(predictions), file.path(data$folder, paste0(name, ".txt")), useBytes = TRUE)
  reply("ok", format(seconds, digits = 15), format(cpu, digits = 15))
}

serve <- function() {
  commands <- file("stdin", "r")
  data <- NULL
  while (length(line <- readLines(commands, 1L)) > 0L) {
    words <- strsplit(line, "\t", fixed = TRUE)[[1L]]
    if (words[1L] == "load") {
      data <- load_data(words[2L])
      reply("ok")
    } else {
      run(data, as.integer(words[2L]), as.integer(words[3L]))
    }
  }
}

if (!requireNamespace(package, quietly = TRUE)) {
  reply("missing", paste("the R package", package))
} else {
  version <- paste("R", getRversion(), package, utils::packageVersion(package))
  if (name == "r_cdf") version <- paste(version, "matrixStats", utils::packageVersion("matrixStats"))
  reply("ready", version)
  serve()
}
