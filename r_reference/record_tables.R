# Records small files that R itself writes, which pycdf reads: tests/data/tables.
#
#   LC_ALL=C.UTF-8 Rscript --vanilla r_reference/record_tables.R
#
# tests/files/test_other_programs.py says what is in them. The package foreign, which comes with R, writes the ARFF file.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
if (length(script) != 1L) stop("run this file with Rscript: Rscript r_reference/record_tables.R")
folder <- file.path(dirname(dirname(normalizePath(script))), "tests", "data", "tables")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
setwd(folder)

latin <- "f\xfcr"
Encoding(latin) <- "latin1"
frame <- data.frame(
  id = c("p1", NA, "p3"), x = c(0.1, NA, -Inf), n = c(1L, NA, 3L), whole = 5:7, ok = c(TRUE, NA, FALSE),
  group = factor(c("b", "a", NA), levels = c("b", "a", "unused")),
  day = as.Date(c("2020-01-31", NA, "1960-05-01")),
  time = as.POSIXct(c(1580472000.5, NA, -1), origin = "1970-01-01", tz = "UTC"),
  word = c("Gr\u00f6\u00dfe", latin, ""), stringsAsFactors = FALSE
)
for (how in c("gzip", "bzip2", "xz")) saveRDS(frame, paste0("frame_", how, ".rds"), compress = how)
saveRDS(frame, "frame_plain.rds", compress = FALSE)
saveRDS(frame, "frame_version_2.rds", version = 2)
saveRDS(frame, "frame_ascii.rds", ascii = TRUE)

m <- matrix(c(1, 2, 3, 4, 5, 6), 2, dimnames = list(c("r1", "r2"), c("a", "b", "c")))
saveRDS(m, "matrix.rds")
saveRDS(matrix(1:4, 2), "matrix_without_names.rds")
saveRDS(data.frame(a = 1:1000, b = as.character(1:1000), c = sort(c(3, 1, 2, 4))), "compact.rds") # R keeps a and b as rules
tibble <- structure(list(a = c(1, 2), b = c("x", "y")), class = c("tbl_df", "tbl", "data.frame"), row.names = c(NA, -2L),
                    spec = structure(list(delim = ",", f = y ~ x), class = "col_spec"), problems = new.env())
saveRDS(tibble, "tibble.rds")
saveRDS(lm(mpg ~ wt, mtcars), "lm.rds")
nested <- frame
nested$more <- list(1, 2, 3)
saveRDS(nested, "nested.rds")

numbers <- 1:3
save(frame, file = "one.RData")
save(frame, numbers, file = "one_and_more.RData", compress = "xz")
save(frame, m, file = "several.RData")

plain <- frame[c("id", "x", "n", "ok", "group", "word")]
write.csv(plain, "write_csv.csv")
write.csv2(plain, "write_csv2.csv", row.names = FALSE)
write.table(plain, "write_table.txt")
write.csv(plain, "write_csv_latin1.csv", row.names = FALSE, fileEncoding = "latin1")
foreign::write.arff(plain, "write.arff")
