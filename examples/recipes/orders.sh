#!/usr/bin/env bash
# curl and jq: a copy of the orders (copy), its nightly update (delta), a filtered report (report), and the orders of a year (year).
# ESTATE_URL and ESTATE_KEY say where and who. The copy is orders.json with its data version in orders.version.
set -euo pipefail

# The header comes from a file descriptor, because the list of processes shows the arguments of programs.
ask() { curl --fail-with-body --silent --show-error --header @<(printf 'X-API-Key: %s' "$ESTATE_KEY") "$@"; }

copy() {
  local status
  # The first request for a version builds its file. After some seconds the answer is a 202, whose body is a message.
  until
    status=$(ask --location --dump-header headers --write-out '%{http_code}' --output orders.new "$ESTATE_URL/files/orders/latest.ndjson.gz") || return 1
    [ "$status" != 202 ]
  do sleep "$(header retry-after)"; done
  gunzip --stdout <orders.new | jq --slurp . >orders.json
  # Later changes come with the next delta.
  header x-data-version >orders.version
  rm orders.new headers
}

# Of several answers, the header of the last one.
header() { sed -n "s/^$1: \(.*\)\r$/\1/Ip" headers | tail -n 1; }

delta() {
  local cursor='' page=0 version
  version=$(cat orders.version)
  rm -f page-*.json
  while [ "$cursor" != null ]; do
    ask "$ESTATE_URL/operations/orders/deltas?since_version=$version&limit=10000${cursor:+&cursor=$cursor}" >"page-$((++page)).json"
    cursor=$(jq --raw-output .next_cursor "page-$page.json")
  done
  jq --slurp --slurpfile copy orders.json '
    (map(.upserts) | add) as $upserts
    | ([$upserts[].order_id, (map(.deletes) | add)[]] | INDEX(.)) as $changed
    | [$copy[0][] | select($changed[.order_id | tostring] == null)] + $upserts
    | sort_by(.order_id)
  ' page-*.json >orders.new
  mv orders.new orders.json
  jq .to_version "page-$page.json" >orders.version
  rm page-*.json
}

report() {
  ask --get "$ESTATE_URL/operations/orders/groups" --data-urlencode 'where=order_date>=2025-01-01,status:in(executed,approved)' \
    --data 'by=trade&count&sum=total_net&order=-sum_total_net&format=csv'
}

year() {
  ask --get "$ESTATE_URL/operations/orders" --data-urlencode 'where=order_date>=2025-01-01,order_date<2026-01-01' \
    --data 'columns=order_id,order_date,property.city,total_net,days:days(order_date,closed_date)&limit=100000&format=csv'
}

"$1"
