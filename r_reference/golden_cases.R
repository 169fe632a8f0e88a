# The calls whose answers are recorded, on generated data. The data are stored with the answers, so
# only R needs to be able to generate them.
#
# golden_cases is a named list; each entry has about (what it is for), xtrain, ytrain, xtest,
# call (CDF's other arguments) and collation ("icu" or "C").

numbers <- function(n, p) matrix(stats::rnorm(n * p), n)
levels_of <- function(n, p, levels) matrix(sample.int(levels, n * p, TRUE) - 1, n)
as_integer_matrix <- function(x) { storage.mode(x) <- "integer"; x }
some_missing <- function(x, share) { x[stats::runif(length(x)) < share] <- NA_real_; x }
named <- function(x, names) { colnames(x) <- names; x }
shifted <- function(x, y, by = 0.8) x + by * match(y, unique(y)) * rep(seq_len(ncol(x)) %% 3 == 0, each = nrow(x))

golden_cases <- list()

add_case <- function(name, about, make, ..., collation = "icu", sample_kind = "Rejection",
                     data_seed = length(golden_cases) + 1) {
  set.seed(data_seed)
  data <- make()
  call <- list(...)
  golden_cases[[name]] <<- c(list(about = about), data, list(call = call, collation = collation, sample_kind = sample_kind))
}

sizes <- function(n, p, labels, draw, m = 6) {
  function() {
    y <- sample(c(labels, sample(labels, n - length(labels), TRUE)))
    x <- draw(n + m, p)
    x[seq_len(n), ] <- shifted(x[seq_len(n), , drop = FALSE], y)
    list(xtrain = x[seq_len(n), ], ytrain = y, xtest = x[n + seq_len(m), ])
  }
}
ties <- function(levels, type = as_integer_matrix) {
  function(n, p, labels, m = 8) {
    function() {
      x <- type(levels_of(n + m, p, levels))
      list(
        xtrain = x[seq_len(n), ], ytrain = sample(c(labels, sample(labels, n - length(labels), TRUE))),
        xtest = x[n + seq_len(m), ]
      )
    }
  }
}
in_double <- function(x) { storage.mode(x) <- "double"; x }
in_logical <- function(x) x > 0
mixed_case <- c("PD", "control", "Normal", "normal", "t10", "t2", "T2")

add_case("continuous", "two classes, all defaults that a small case allows",
         sizes(36, 14, c("a", "b"), numbers), ntrees = 8, seed = 2025)
add_case("five_classes", "continuous, five classes, deeper trees",
         sizes(45, 11, c("one", "two", "three", "four", "five"), numbers), ntrees = 4, depth = 5, mnode = 2, seed = -1)
add_case("integer_ties", "an integer matrix with many ties, where sd without refinement matters",
         ties(2)(40, 20, mixed_case[1:2]), ntrees = 6, depth = 4, k = 3, mtry = 10, seed = 11,
         data_seed = 2)
add_case("integer_ties_as_double", "the same values as a double matrix: another forest",
         ties(2, in_double)(40, 20, mixed_case[1:2]), ntrees = 6, depth = 4, k = 3, mtry = 10, seed = 11,
         data_seed = 2)
add_case("binary", "0/1 in double, labels that sort differently by case, ties everywhere",
         ties(2, in_double)(36, 10, mixed_case), ntrees = 6, depth = 3, k = 3, mtry = 5, seed = 5)
add_case("binary_c_order", "the same call in the C locale",
         ties(2, in_double)(36, 10, mixed_case), ntrees = 6, depth = 3, k = 3, mtry = 5, seed = 5,
         collation = "C", data_seed = 5)
add_case("logical", "a logical matrix, which R makes double",
         ties(2, in_logical)(30, 9, c("yes", "No", "no")), ntrees = 5, k = 2, mtry = 4, seed = 6)
add_case("missing_cells", "one cell in eight missing, in training and test rows", function() {
  data <- sizes(40, 10, c("x", "y", "z"), numbers)()
  data$xtrain <- some_missing(data$xtrain, 0.125)
  data$xtest <- some_missing(data$xtest, 0.125)
  data$xtest[2, ] <- NaN
  data
}, ntrees = 6, depth = 4, k = 4, mtry = 6, seed = 8)
add_case("bad_columns", "constant, all missing, infinite, huge and duplicated columns; infinite test cells", function() {
  data <- sizes(30, 12, c("u", "v"), numbers)()
  data$xtrain[, 1] <- 0.1
  data$xtrain[, 3] <- NA_real_
  data$xtrain[5, 4] <- Inf
  data$xtrain[, 6] <- data$xtrain[, 6] * 1e200
  data$xtrain[, 8] <- data$xtrain[, 7]
  data$xtrain[, 9] <- data$xtrain[, 7]
  data$xtest[1, ] <- Inf
  data$xtest[2, 7] <- -Inf
  data
}, ntrees = 6, k = 3, mtry = 5, seed = 9)
add_case("singletons", "three classes of one row each beside two larger ones", function() {
  data <- sizes(26, 9, c("big", "Big"), numbers)()
  data$ytrain[c(2, 11, 20)] <- c("s3", "S1", "s2")
  data
}, ntrees = 6, depth = 3, k = 3, mtry = 5, seed = 10)
add_case("own_class_each", "every row its own class: no sd anywhere", function() {
  x <- numbers(18, 8)
  list(xtrain = x[1:12, ], ytrain = paste0("r", 12:1), xtest = x[13:18, ])
}, ntrees = 4, depth = 3, k = 3, mtry = 4, seed = 12)
add_case("forty_classes", "forty classes, about two rows each",
         sizes(84, 8, paste0(rep(c("k", "K"), 20), 1:40), numbers), ntrees = 2, depth = 2, k = 3, mtry = 5, seed = 13)
add_case("depth_0", "every tree is one leaf, ties by collation",
         ties(3)(12, 5, c("B", "a", "b", "A")), ntrees = 12, depth = 0, mtry = 3, seed = 14)
add_case("depth_12_mnode_1", "grown as far as it goes",
         ties(4, in_double)(30, 8, c("p", "Q", "q")), ntrees = 4, depth = 12, mnode = 1, k = 2, mtry = 3, seed = 15)
add_case("mnode_20", "nodes of fewer than 20 rows stop",
         sizes(50, 10, c("m", "M"), numbers), ntrees = 6, depth = 6, mnode = 20, k = 2, mtry = 4, seed = 16)
add_case("k_1_mtry_2", "the smallest selection that R accepts",
         sizes(30, 10, c("g", "h", "i"), numbers), ntrees = 6, k = 1, mtry = 2, seed = 17)
add_case("k_and_mtry_above_p", "clamped to the columns: nothing is drawn for candidates",
         sizes(28, 6, c("c", "d"), numbers), ntrees = 5, k = 100, mtry = 100, seed = 18)
add_case("truncated_settings", "settings are truncated to integers",
         sizes(28, 9, c("c", "d"), numbers), ntrees = 3.9, depth = 2.9, mnode = 4.9, k = 2.9, mtry = 4.9, seed = 19)
add_case("cancellation", "values near 1e15: the last bits of an 80-bit sum decide", function() {
  data <- sizes(32, 9, c("l", "r"), numbers)()
  data$xtrain <- data$xtrain * 8 + 1e15 * rep(c(1, -1, 1e-5), each = 32)
  data$xtest <- data$xtest * 8 + 1e15 * rep(c(1, -1, 1e-5), each = 6)
  data
}, ntrees = 5, k = 3, mtry = 6, seed = 20)
add_case("near_ties", "columns that hold the same values per class in another order: scores differ in the last bits", function() {
  y <- rep(c("even", "odd"), 16)
  base <- stats::rnorm(32) / 3
  x <- sapply(1:10, function(j) { v <- base; for (l in unique(y)) v[y == l] <- sample(base[y == l]); v })
  list(xtrain = x, ytrain = y, xtest = x[sample(32, 6), ] + numbers(6, 10) / 10)
}, ntrees = 5, depth = 3, k = 4, mtry = 8, seed = 21)
add_case("by_name", "named columns: shuffled, one extra, two missing in xtest (medians of odd and even counts)", function() {
  data <- sizes(31, 8, c("n1", "n2"), numbers)()
  data$xtrain <- named(data$xtrain, letters[1:8])
  data$xtrain[4, "c"] <- NA_real_
  data$xtest <- named(data$xtest, letters[1:8])[, c("h", "a", "b", "g", "e", "d")]
  data$xtest <- cbind(data$xtest, extra = 1)
  data
}, ntrees = 5, k = 3, mtry = 5, seed = 22)
add_case("fewer_test_columns", "no names: missing test columns are the training medians", function() {
  data <- sizes(30, 8, c("n1", "n2", "n3"), numbers)()
  data$xtest <- data$xtest[, 1:5]
  data
}, ntrees = 5, k = 3, mtry = 5, seed = 23)
add_case("more_test_columns", "no names: surplus test columns are cut", function() {
  data <- sizes(30, 8, c("n1", "n2"), numbers)()
  data$xtest <- cbind(data$xtest, 5)
  data
}, ntrees = 4, k = 3, mtry = 5, seed = 24)
add_case("blank_labels", "labels are trimmed, empty ones dropped with their rows", function() {
  data <- sizes(30, 8, c("in", "out"), numbers)()
  data$ytrain[c(3, 9)] <- c(" ", "")
  data$ytrain[4:6] <- paste0("\t", data$ytrain[4:6], " \n")
  data
}, ntrees = 4, k = 3, mtry = 5, seed = 25)
add_case("integer_labels", "labels that are integers",
         sizes(30, 8, c(10L, 9L, 100000L), numbers), ntrees = 4, depth = 2, k = 3, mtry = 5, seed = 2147483647)
add_case("stream_goes_on", "no seed: the stream stands where a sample() left it, and goes on after the call",
         sizes(30, 8, c("go", "on"), numbers), ntrees = 4, k = 3, mtry = 5)
add_case("nearly_tied_distances", "0, 1, 2 with noise of 1e-7: distances are tied within max.col's tolerance", function() {
  x <- levels_of(44, 9, 3) + numbers(44, 9) * 1e-7
  list(xtrain = x[1:36, ], ytrain = rep(c("u", "V", "w"), 12), xtest = x[37:44, ])
}, ntrees = 5, depth = 4, k = 2, mtry = 5, seed = 26)
add_case("sampled_by_rounding", "no seed: a stream that samples as R did before 3.6.0",
         sizes(30, 8, c("as", "before"), numbers), ntrees = 4, k = 3, mtry = 5, sample_kind = "Rounding")
