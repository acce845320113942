#!/bin/sh
# Makes the certificates of the test sites: one authority and what it signed. Run by hand; the result is committed.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/index.txt"
printf '[ca]\ndefault_ca=d\n[d]\ndatabase=%s/index.txt\nnew_certs_dir=%s\nrand_serial=yes\ndefault_md=sha256\npolicy=p\nunique_subject=no\ncopy_extensions=copy\n[p]\ncommonName=supplied\n' "$work" "$work" >"$work/ca.cnf"
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }
key "$work/ca.key"
openssl req -x509 -new -key "$work/ca.key" -subj "/CN=Findable test authority" -days 36500 -out authority.pem
signed() { # file, common name, names, first day, last day
  key "$1.key"
  openssl req -new -key "$1.key" -subj "/CN=$2" -addext "subjectAltName=$3" -out "$work/$1.csr"
  openssl ca -batch -notext -config "$work/ca.cnf" -cert authority.pem -keyfile "$work/ca.key" -startdate "$4" -enddate "$5" -in "$work/$1.csr" -out "$work/$1.pem"
  cat "$work/$1.pem" authority.pem >"$1.pem"
}
signed good localhost "DNS:localhost,DNS:*.localhost,DNS:site.test,DNS:*.site.test,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1" 20250101000000Z 21250101000000Z
signed expired localhost "DNS:localhost,DNS:site.test,IP:127.0.0.1" 20200101000000Z 20210101000000Z
signed wrong_host other.test "DNS:other.test" 20250101000000Z 21250101000000Z
key self_signed.key
openssl req -x509 -new -key self_signed.key -subj "/CN=localhost" -addext "subjectAltName=DNS:localhost,DNS:site.test,IP:127.0.0.1" -days 36500 -out self_signed.pem
