# Records how R sorts, writes, trims and reads text: the golden answers of tests/data.
#
#   LC_ALL=C.UTF-8 Rscript r_reference/record_text.R
#
# The texts are generated here, from a fixed seed. The files are
#      tests/data/collation_icu78.tsv  rank in ICU's root order, rank in C order, text;
#                                      a file for each major version of ICU, since the order changes
#      tests/data/number_text.tsv   a double ("%a"), what as.character() writes
#      tests/data/parse_number.tsv  a text, what as.numeric() reads ("%a", or NA)
#      tests/data/label_text.tsv    name of a label vector, R's labels for it ("<NA>": dropped)
# The first line of each names the versions. pycdf follows the newest R: the script stops in an R that reads or writes
# some of these texts differently (before 4.4.3; docs/differences.md lists them). Characters other than printable ASCII,
# blanks and backslashes are written \uXXXX or \UXXXXXXXX. A second run writes the same bytes.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
if (length(script) != 1L) stop("run this file with Rscript: Rscript r_reference/record_text.R")
folder <- file.path(dirname(dirname(normalizePath(script))), "tests", "data")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
if (getRversion() < "4.4.3") {
  stop("R ", getRversion(), " reads and writes some texts otherwise than R 4.4.3 and later, which pycdf follows: ",
       "record tests/data with a newer R. What is in tests/golden does not depend on it.", call. = FALSE)
}
if (icuGetCollate() != "root") {
  stop("R sorts by '", icuGetCollate(), "', not in ICU's root order: set LC_ALL=C.UTF-8")
}
RNGkind("Mersenne-Twister", "Inversion", "Rejection")

escaped <- function(texts) {
  vapply(texts, function(text) {
    points <- utf8ToInt(text)
    plain <- points > 32L & points < 127L & points != 92L
    pieces <- ifelse(points > 0xFFFF, sprintf("\\U%08x", points), sprintf("\\u%04x", points))
    pieces[plain] <- vapply(points[plain], intToUtf8, "")
    paste(pieces, collapse = "")
  }, "", USE.NAMES = FALSE)
}
write_lines <- function(name, ...) {
  versions <- paste0("# ", R.version.string, ", ICU ", extSoftVersion()[["ICU"]])
  file <- file(file.path(folder, name), "wb")
  on.exit(close(file))
  writeLines(c(versions, paste(..., sep = "\t")), file, useBytes = TRUE)
  cat(name, "\n")
}

# ---- collation ---------------------------------------------------------------------------------

marks <- c(0x300:0x30F, 0x323:0x32D, 0x334, 0x338, 0x344, 0x345, 0x483, 0x591, 0x64B:0x652)
pools <- list(
  ascii = 32:126, controls = c(1:31, 127:160, 0xAD, 0x200B:0x200F, 0x2060, 0xFEFF),
  latin = c(65:90, 97:122, 0xC0:0x17F, 0x1E00:0x1EFF), greek = c(0x386:0x3CE, 0x1F00:0x1F15),
  cyrillic = 0x400:0x45F, marks = c(97:101, 0xE9, 0x418, 0x438, 0x306, marks),
  han = c(0x4E00:0x4E40, 0x3400:0x3410, 0x20000:0x20010, 0xF900:0xF910, 0x2F00:0x2F10),
  hangul = c(0xAC00:0xAC40, 0xD7A0:0xD7A3, 0x1100:0x1112, 0x1161:0x1175, 0x11A8:0x11C2),
  thai = 0xE01:0xE4F, devanagari = c(0x901:0x939, 0x93C:0x94D, 0x958:0x96F),
  tibetan = c(0xF40:0xF47, 0xF71:0xF81, 0xFB2, 0xFB3), kannada = c(0xC95:0xC9A, 0xCBE:0xCD6),
  arabic = c(0x621:0x64A, 0x653:0x655), hebrew = c(0x5D0:0x5EA, 0x5B0:0x5BC),
  kana = c(0x3041:0x3096, 0x30A1:0x30FC, 0xFF66:0xFF9D),
  digits = c(48:57, 0x660:0x669, 0x966:0x96F, 0xFF10:0xFF19, 0xB2, 0xB3, 0x2460:0x2468),
  wide = 0xFF01:0xFF5E, symbols = c(0xA1:0xBF, 0x2010:0x2027, 0x20A0:0x20AC, 0x2190:0x2199),
  emoji = c(0x1F600:0x1F620, 0x1F3FB:0x1F3FF, 0x200D, 0xFE0F, 0x2764),
  unassigned = c(0x378, 0xE000:0xE004, 0x1FFFE, 0x10FFFF, 0xFFFD, 0xFDD0, 0xFDD1),
  by_version = c( # these sort differently in different versions of ICU
    0x5F3, 0x5F4, 0x1C89, 0x1C8A, 0x2018:0x201F, 0x2180:0x2182, 0x301D:0x301F, 0x4748, 0x52B3, 0x7E9F:0x7EA5,
    0x8BA0:0x8BA5, 0xA7CB:0xA7CF, 0x18D00:0x18D08, 0x2EBF0:0x2EBF4, 0x323B0:0x323B4
  )
)
set.seed(1)
draw <- function(pool, size) pool[sample.int(length(pool), size, replace = TRUE)]
texts <- c("", vapply(c(1:127, 0xE9, 0x4E2D, 0xAC00), intToUtf8, ""))
for (pool in pools) {
  made <- replicate(28L, intToUtf8(draw(pool, 1L + sample.int(4L, 1L))))
  mixed <- replicate(4L, intToUtf8(c(draw(pool, 2L), draw(unlist(pools), 2L))))
  again <- vapply(made[1:8], function(text) { # the same with one change in the middle
    points <- utf8ToInt(text)
    points[1L + length(points) %/% 2L] <- draw(pool, 1L)
    intToUtf8(points)
  }, "", USE.NAMES = FALSE)
  texts <- c(texts, made, mixed, again, toupper(made[1:3]), rev(made)[1:2])
}
texts <- unique(texts)
place <- function(texts) {
  sorted <- texts[order(texts)]
  rises <- c(FALSE, sorted[-length(sorted)] < sorted[-1L])
  cumsum(rises)[match(texts, sorted)]
}
icu <- place(texts)
invisible(Sys.setlocale("LC_COLLATE", "C"))
c_order <- place(texts)
invisible(Sys.setlocale("LC_COLLATE", "C.UTF-8"))
write_lines(paste0("collation_icu", sub("[.].*", "", extSoftVersion()[["ICU"]]), ".tsv"), icu, c_order, escaped(texts))

# ---- numbers -----------------------------------------------------------------------------------

set.seed(2)
n <- 60L
sign <- sample(c(-1, 1), n, TRUE)
next_to <- function(x, steps) x * (1 + steps * .Machine$double.eps)
doubles <- c(
  0, -0, 1, 10, 100, 1000, 10000, 1e5, 123456, 1e6, 1234567, 1e15, 1e16, 2^53, 2^63, 3e9, -1e5, 100000.5,
  0.1 + 0.2, 0.3, 1 / 3, 2 / 3, 22 / 7, 1e-4, 0.0001234, 1e-5, 1.5e-5, 1e-300, 1e300, Inf, -Inf, NaN,
  5e-324, 2.2250738585072014e-308, .Machine$double.xmax, 99999.99999999999, 99999.99999999994, 999999999999999.9,
  9999999999999998, 0.9999999999999999, 123456789012345678, 6.929343256982005e+236, 5.121755163481805e-211,
  8.045344645872005e+39, 9.095572850078195e-11,
  sign * stats::runif(n) * 10^sample(-8:20, n, TRUE), round(sign * stats::rnorm(n) * 1000, sample(0:6, n, TRUE)),
  sign * 2^stats::runif(n, -1074, 1023), sample.int(1000L, n) / sample.int(1000L, n),
  next_to(10^sample(-300:300, n), sample(-6:0, n, TRUE)), # just below a power of ten
  (floor(stats::runif(n, 1e14, 1e15)) + 0.5) * 10^sample(-40:40, n, TRUE), # 15 digits are half way
  2^-sample(1000:1074, 12L) * stats::runif(12L, 1, 2)
)
write_lines("number_text.tsv", sprintf("%a", doubles), as.character(doubles))

set.seed(3)
digits <- function(size) paste(sample(0:9, size, TRUE), collapse = "")
each <- function(n, make) vapply(seq_len(n), function(i) make(), "")
exponent <- function() paste0(sample(c("e", "E"), 1L), sample(c("", "+", "-"), 1L), digits(sample(0:4, 1L)))
hex <- function(size) paste(sample(c(0:9, letters[1:6], LETTERS[1:6]), size, TRUE), collapse = "")
read <- c(
  "0.000511431512516514", "0.00189435620870416", "-31.3877077938547", "-2854.94771099994", "34.4355156079036",
  "0.302288351251463", "0.739157227140327", "0.667949746334701", # R is one unit off the nearest double in these
  "", " ", ".", "-", "+", "e", "e5", "1e", "1e+", "1E-", "1e5", "1d5", "1L", "1_000", "1,5", "1 2", "- 1", "--1", "+.5", "5.",
  ".5.", "-0", "0e99999", "1e99999", "1e-99999", "1e123456789", "1.5e3 ", "\t7\r\n", "\v\f8", "\u00a09", "9\u00a0", "9\u2003",
  "9\u2007", "\u20039", "9\u3000", "9\u0085", "9\u200b", "\uff11", "\u0663", "NA", "NaN", "-nan", "nan5", "TRUE", "inf", "-Inf",
  "+INF", "infinity", "Infinity ", "infinit", "infinityx", "0x", "0x ", "0xg", "0x.", "0x1A", "-0XfF", "0x1.8", "0x1.8p1", "0x1p-2",
  "0x1p", "0x1p+", "0x.8p1", "0x1.8.4p2", "0x.8", "0x1.", "0x1.8p", "-0X1.0.8 ", "0xp", "0xp3", "1e ", ".e1", "1.e",
  "0x1p1024", "0x1p-1074", "0x1p-1075", "0x1.8p-1030", "0x1p5.5", "1e5.5", "1e308",
  "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1.8e308", "4.9e-324", "2.4e-324", "2.5e-324",
  "2.2250738585072014e-308", "2.2250738585072011e-308", "9007199254740993", "18446744073709551615", "18446744073709551616",
  strrep("9", 400L), paste0(strrep("9", 400L), "e-400"), paste0("0.", strrep("0", 400L), "1e400"),
  paste0("1", strrep("0", 320L), "e-640"), paste0(strrep("7", 5000L), "e-5000"), paste0(strrep("0", 30L), "1.5"),
  each(60L, function() paste0(digits(sample.int(9L, 1L)), ".", digits(sample.int(12L, 1L)))),
  each(60L, function() paste0(sample(c("", "-"), 1L), digits(sample.int(22L, 1L)), ".", digits(sample(0:22, 1L)), exponent())),
  each(60L, function() paste0(sample.int(9L, 1L), ".", digits(sample(0:16, 1L)), "e", sample(-330:310, 1L))),
  each(30L, function() paste0(digits(sample.int(200L, 1L)), ".", digits(sample.int(200L, 1L)), exponent())),
  each(30L, function() paste0("0x", hex(sample.int(18L, 1L)), sample(c("", ".", ".a5"), 1L), "p", sample(-1100:1100, 1L))),
  each(30L, function() paste0("0x", hex(sample(0:15, 1L)), ".", hex(sample(0:15, 1L)))),
  paste0("0x.", strrep("0", 300L), "1"), paste0("0x", strrep("f", 300L)), # beyond the doubles
  each(30L, function() format(2^stats::runif(1L, -1074, 1023), digits = 15L))
)
value <- suppressWarnings(as.numeric(read))
write_lines("parse_number.tsv", escaped(read), ifelse(is.na(value), "NA", sprintf("%a", value)))

# ---- labels ------------------------------------------------------------------------------------

# CDF's own cleaning: as.character(), trimws(), "" is missing.
clean <- function(y) {
  y <- trimws(as.character(y))
  y[y == ""] <- NA_character_
  y
}
times <- function(...) as.POSIXct(c(...), origin = "1970-01-01", tz = "UTC")
vectors <- list(
  logical = c(TRUE, FALSE, NA), logical_and_integer = c(TRUE, 2L), logical_and_double = c(TRUE, 2.5, 1e5),
  logical_and_text = c(TRUE, "TRUE", "true"), integer = c(100000L, 7L, -3L, NA), double = c(100000, 7, -3.5, 1 / 3),
  integer_and_double = c(100000L, 0.5), integer_and_text = c(c(100000L, 1L), "1"), double_and_text = c(1e5, 1, "1"),
  beyond_32_bits = c(100000, 3e9, 2^31, 1e15), same_15_digits = c(0.1 + 0.2, 0.3), infinite = c(Inf, -Inf, 0),
  blanks = c(" a", "a ", "\ta\r\n", "a\u00a0", " ", "", "\v", "a b"), words = c("NA", "NaN", NA, "TRUE", "Inf"),
  factor = factor(c("b ", "a", NA, "b"), levels = c("a", "b ", "unused")), one_column = matrix(c("x", "y", "x"), ncol = 1),
  dates = as.Date(c("2024-01-31", "1969-12-31", "0099-05-03", NA)), midnights = times(0, 86400, NA),
  moments = times(0, 3600.75, -0.25, NA, 1e9), parts_of_a_second = times(60.25, 60.75, 60, 61),
  microseconds = times(1e-6, -1e-6, 1700000000.123456, 0.0078125, 0.0234375), # half a microsecond: to even
  rounded_up = times(59.9999996, -4e-7), # R writes 60 seconds, and does not carry
  far_dates = structure(c(-719529, -719528, -719163, -354286, -800000, 2932897), class = "Date"),
  far_moments = times(-62167219201, -62135596800.5, 253402300800.25)
)
lines <- lapply(names(vectors), function(name) {
  texts <- clean(vectors[[name]])
  paste(name, ifelse(is.na(texts), "<NA>", escaped(ifelse(is.na(texts), "", texts))), sep = "\t")
})
write_lines("label_text.tsv", unlist(lines))
