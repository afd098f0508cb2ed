import csv
import sys

for row in csv.reader(sys.stdin):
    print(row[0])
