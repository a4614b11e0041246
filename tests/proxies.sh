#!/usr/bin/env bash
# `plydex serve` behind nginx and Caddy (docs/explorer.md): tests/proxies.sh [PLYDEX]
# Needs curl, openssl, nginx and Caddy (Debian: apt-get install nginx-light caddy curl openssl); a
# proxy that is not installed is skipped. NGINX and CADDY name others. Root is not needed, all ports
# are free ones of 127.0.0.1, and nothing stays of the temporary folder, but with KEEP=1.
set -euo pipefail
cd "$(dirname "$0")/.."

PATH="$PATH:/usr/sbin:/usr/local/sbin"
plydex="$(realpath "${1:-target/release/plydex}")"
nginx="${NGINX:-nginx}"
caddy="${CADDY:-caddy}"
# The name that the proxies have, and one that leads here and should not.
name=chess.example.org
foreign=evil.example.net
# Longer than plydex keeps an idle connection open (15 seconds).
idle_seconds=17

work="$(mktemp -d)"
chmod 755 "$work"
processes=()
failures=0
checks=0

clean_up() {
    local process
    for process in "${processes[@]}"; do
        kill "$process" 2> /dev/null || true
    done
    wait 2> /dev/null || true
    if [ -n "${KEEP:-}" ]; then
        echo "kept: $work"
    else
        rm -rf "$work"
    fi
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# A port that is free now.
free_port() {
    local port
    while true; do
        port=$((20000 + RANDOM % 12000))
        if ! (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null && [[ " ${taken[*]} " != *" $port "* ]]; then
            taken+=("$port")
            free="$port"
            return
        fi
    done
}
taken=()
free=

# wait_for COMMAND…: until it succeeds, for ten seconds at most.
wait_for() {
    local _
    for _ in {1..100}; do
        if "$@" > /dev/null 2>&1; then
            return
        fi
        sleep 0.1
    done
    echo "error: not in ten seconds: $*" >&2
    tail -n 5 "$work"/*.err "$work"/*.error.log >&2 2> /dev/null || true
    exit 2
}

# Every name leads to this computer; certificates are of our own.
ask() {
    curl --silent --show-error --insecure --globoff --noproxy '*' --max-time 60 --connect-to '::127.0.0.1:' "$@"
}

status_of() { ask --output /dev/null --write-out '%{http_code}' "$@"; }

# The value of a header: header NAME CURL-ARGUMENTS…
header() {
    local wanted="$1"
    shift
    ask --output /dev/null --dump-header - "$@" | tr -d '\r' | sed -n "s/^$wanted: //Ip"
}

# check LABEL COMMAND…
check() {
    local label="$1" said
    shift
    checks=$((checks + 1))
    if said="$("$@" 2>&1)"; then
        echo "ok $label"
    else
        failures=$((failures + 1))
        echo "FAILED $label${said:+: ${said:0:300}}"
    fi
}

# failed WHY: ends a check, which has a shell of its own. (`set -e` does nothing in a condition.)
failed() {
    echo "$1"
    exit 1
}

# same WANTED FOUND
same() {
    if [ "$1" != "$2" ]; then
        failed "wanted: ${1:0:100}, found: ${2:0:100}"
    fi
}

# same_file A B
same_file() { cmp "$1" "$2" || exit 1; }

# --- The checks. Each is given the address, which ends without a slash. ---

page() {
    same 200 "$(status_of "$1/")"
    case "$(ask "$1/")" in
        *'<title>plydex</title>'*) ;;
        *) failed 'another page' ;;
    esac
}

# All files that the page names, and those that its scripts import.
files() {
    local base="$1" queue file next folder found=0 seen=' '
    queue="$(ask "$base/" | grep -oE '(href|src)="[^"#]+\.(js|css|svg)"' | cut -d'"' -f2)"
    while [ -n "$queue" ]; do
        next=
        for file in $queue; do
            case "$seen" in *" $file "*) continue ;; esac
            seen="$seen$file "
            found=$((found + 1))
            same "200 $file" "$(status_of "$base/$file") $file"
            case "$file" in
                /* | *://*) same 'a relative address' "$file" ;;
                *.js)
                    case "$(header content-type "$base/$file")" in
                        text/javascript*) ;;
                        *) same 'a script' "$file" ;;
                    esac
                    folder="$(dirname "$file")/"
                    folder="${folder#./}"
                    next="$next $(ask "$base/$file" | grep -oE "from '\./[^']+'" | cut -d"'" -f2 |
                        sed "s|^\./|$folder|" || true)"
                    ;;
            esac
        done
        queue="${next// /}"
        queue="${queue:+$next}"
    done
    if [ "$found" -lt 12 ]; then
        failed "only $found files"
    fi
}

# The same as without a proxy.
as_direct() {
    local base="$1" target="$2"
    same 200 "$(status_of "$base$target")"
    ask "$base$target" > "$work/proxied"
    ask "$direct$target" > "$work/direct"
    same_file "$work/proxied" "$work/direct"
}

refused_host() { same 403 "$(status_of --header "Host: $foreign" "$1/v1/search")"; }

# A proxy may answer foreign names itself, but not with what plydex has.
no_foreign_host() {
    local path
    for path in / /v1/search '/lichess?play=e2e4'; do
        case "$(status_of --header "Host: $foreign" "$1$path")" in
            200) same '' "$(ask --header "Host: $foreign" "$1$path")" ;;
            403 | 404 | 421) ;;
            *) same 'a refusal' "$(status_of --header "Host: $foreign" "$1$path")" ;;
        esac
    done
}

refused_pages() {
    same 403 "$(status_of --header 'Origin: https://evil.org' "$1/v1/search")"
    same 403 "$(status_of --header 'Origin: null' "$1/v1/search")"
    same 403 "$(status_of --header 'Sec-Fetch-Site: cross-site' "$1/v1/search")"
}

# own_pages BASE ORIGIN
own_pages() {
    same 200 "$(status_of --header 'Sec-Fetch-Site: same-origin' "$1/v1/search")"
    same 200 "$(status_of --header "Origin: $2" "$1/v1/search")"
}

open_api() {
    same '*' "$(header access-control-allow-origin --header 'Origin: https://evil.org' "$1/lichess?play=e2e4")"
    same '*' "$(header access-control-allow-origin --request OPTIONS "$1/lichess")"
}

kept_open() {
    local connects
    connects="$(ask --output /dev/null --write-out '%{num_connects}' "$1/healthz" --next \
        --silent --insecure --noproxy '*' --connect-to '::127.0.0.1:' \
        --output /dev/null --write-out '%{num_connects}' "$1/v1/variants")"
    same 10 "$connects"
}

head_of() {
    local length
    length="$(ask "$1/v1/variants" | wc -c)"
    same "$length" "$(header content-length --head "$1/v1/variants")"
    same 0 "$(ask --request HEAD --head --output /dev/null --write-out '%{size_download}' "$1/v1/variants")"
}

# encoded BASE ENCODING PROGRAM…
encoded() {
    local base="$1" encoding="$2"
    shift 2
    same "$encoding" "$(header content-encoding --header "Accept-Encoding: $encoding" "$base/v1/variants")"
    ask --header "Accept-Encoding: $encoding" "$base/v1/variants" > "$work/packed"
    "$@" < "$work/packed" > "$work/proxied" || exit 1
    ask "$direct/v1/variants" > "$work/direct"
    same_file "$work/proxied" "$work/direct"
}

not_modified() {
    local path tag encoding
    for path in / /app.js /v1/variants /v1/search; do
        for encoding in identity gzip; do
            tag="$(header etag --header "Accept-Encoding: $encoding" "$1$path")"
            same 304 "$(status_of --header "If-None-Match: $tag" --header "Accept-Encoding: $encoding" "$1$path")"
        done
        same 200 "$(status_of --header 'If-None-Match: W/"0"' "$1$path")"
    done
}

other_statuses() {
    same 404 "$(status_of "$1/v1/games/999999999")"
    same 400 "$(status_of "$1/lichess?play=e2e5")"
    same 405 "$(status_of --data x "$1/v1/search")"
    same 200 "$(status_of "$1/lichess?unknown=$(printf 'a%.0s' {1..7500})")"
}

# The log has the client's own address, whatever the client says itself.
logged() {
    local line='' word="w$RANDOM$RANDOM" _
    ask --interface 127.0.0.9 --header 'X-Forwarded-For: 198.51.100.1' --output /dev/null "$1/healthz?$word"
    for _ in {1..50}; do
        if line="$(grep "$word" "$work/plydex.log")"; then
            break
        fi
        sleep 0.1
    done
    case "$line" in
        "127.0.0.9 - - ["*"] \"GET /healthz?$word HTTP/1."[01]'" 200 3 "'*) ;;
        *) failed "the line is: $line" ;;
    esac
}

# A connection that plydex has closed in the meantime is no failure of a request.
after_idleness() {
    local _
    for _ in {1..5}; do
        same 200 "$(status_of "$1/healthz")"
    done
}

password() {
    same 401 "$(status_of "$1/")"
    same 401 "$(status_of --user reader:wrong "$1/v1/search")"
    same 200 "$(status_of --user reader:secret "$1/")"
    same 200 "$(status_of --user reader:secret "$1/v1/search")"
}

redirected() {
    local base="$1"
    case "$(status_of "$base")" in
        301 | 302 | 308) ;;
        *) same 'another address' "$(status_of "$base")" ;;
    esac
    case "$(header location "$base")" in
        "$base/" | "/${base##*/}/") ;;
        *) same "$base/" "$(header location "$base")" ;;
    esac
}

# battery LABEL BASE ORIGIN: what holds behind every proxy.
battery() {
    local label="$1" base="$2" origin="$3" target
    check "$label: page" page "$base"
    check "$label: files of the page" files "$base"
    for target in /healthz /v1/variants '/lichess?play=e2e4' '/masters?play=e2e4,e7e5&moves=3' \
        '/lichess?fen=rnbqkbnr%2Fpppppppp%2F8%2F8%2F8%2F8%2FPPPPPPPP%2FRNBQKBNR%20w%20KQkq%20-' \
        '/v1/tree?position=e4+c5' '/v1/search?player=Lasker%2C+Em' /v1/games/1.pgn \
        '/v1/board.svg?play=e2e4' /v1/export.pgn /v1/openapi.json; do
        check "$label: $target" as_direct "$base" "$target"
    done
    check "$label: pages of other sites are refused" refused_pages "$base"
    check "$label: its own page is not" own_pages "$base" "$origin"
    check "$label: pages of other sites may ask the paths of lichess" open_api "$base"
    check "$label: keep-alive" kept_open "$base"
    check "$label: HEAD" head_of "$base"
    check "$label: gzip" encoded "$base" gzip gzip -dc
    if command -v zstd > /dev/null; then
        check "$label: zstd" encoded "$base" zstd zstd -dcq
    fi
    check "$label: If-None-Match" not_modified "$base"
    check "$label: 404, 400, 405 and a long address" other_statuses "$base"
}

# --- plydex ---

"$plydex" --quiet --db "$work/games.db" import sample-data > /dev/null
"$plydex" --db "$work/games.db" serve --port 0 --allow-host "$name" --log combined \
    > "$work/plydex.log" 2> "$work/plydex.err" &
server=$!
processes+=("$server")
wait_for grep -q '^serving .* at http' "$work/plydex.err"
port="$(sed -n 's|^serving .* at http://127\.0\.0\.1:\([0-9]*\)/$|\1|p' "$work/plydex.err")"
direct="http://127.0.0.1:$port"
battery direct "http://$name:$port" "http://$name:$port"
check 'direct: a foreign host is refused' refused_host "http://$name:$port"

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$name" \
    -addext "subjectAltName=DNS:$name" -keyout "$work/key.pem" -out "$work/certificate.pem" 2> /dev/null

# --- nginx ---

has_nginx=
if ! command -v "$nginx" > /dev/null; then
    echo 'SKIPPED nginx: not installed'
else
    has_nginx=1
    free_port; nginx_root="$free"
    free_port; nginx_tls="$free"
    free_port; nginx_sub="$free"
    free_port; nginx_sub_tls="$free"
    free_port; nginx_password="$free"
    printf 'reader:%s\n' "$(openssl passwd -apr1 secret)" > "$work/passwords"
    mkdir "$work/nginx"
    # As in docs/explorer.md, but for ports, files, and connections that are kept for `plydex`.
    cat > "$work/nginx.conf" << END
daemon off;
worker_processes 1;
pid $work/nginx.pid;
error_log $work/nginx.error.log;
events {}
http {
    access_log $work/nginx.access.log;
    client_body_temp_path $work/nginx/body;
    proxy_temp_path $work/nginx/proxy;
    fastcgi_temp_path $work/nginx/fastcgi;
    uwsgi_temp_path $work/nginx/uwsgi;
    scgi_temp_path $work/nginx/scgi;

    upstream plydex {
        server 127.0.0.1:$port;
        keepalive 16;
    }
    server {
        listen 127.0.0.1:$nginx_root;
        listen 127.0.0.1:$nginx_tls ssl;
        server_name $name;
        ssl_certificate $work/certificate.pem;
        ssl_certificate_key $work/key.pem;
        location / {
            proxy_pass http://plydex;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host \$host;
            proxy_set_header X-Forwarded-For \$remote_addr;
        }
    }
    server {
        listen 127.0.0.1:$nginx_sub;
        listen 127.0.0.1:$nginx_sub_tls ssl;
        server_name $name;
        ssl_certificate $work/certificate.pem;
        ssl_certificate_key $work/key.pem;
        location /explorer/ {
            proxy_pass http://127.0.0.1:$port/;
            proxy_set_header Host \$http_host;
            proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
        }
    }
    server {
        listen 127.0.0.1:$nginx_password ssl;
        server_name $name;
        ssl_certificate $work/certificate.pem;
        ssl_certificate_key $work/key.pem;
        location / {
            auth_basic "games";
            auth_basic_user_file $work/passwords;
            proxy_pass http://plydex;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host \$host;
            proxy_set_header X-Forwarded-For \$remote_addr;
        }
    }
}
END
    # Until it has its configuration, it would write to /var/log.
    "$nginx" -e "$work/nginx.error.log" -p "$work/nginx" -c "$work/nginx.conf" 2> "$work/nginx.err" &
    processes+=("$!")
    wait_for status_of "http://$name:$nginx_root/healthz"
    battery 'nginx' "http://$name:$nginx_root" "http://$name"
    battery 'nginx, TLS' "https://$name:$nginx_tls" "https://$name"
    battery 'nginx, sub-path' "http://$name:$nginx_sub/explorer" "http://$name:$nginx_sub"
    battery 'nginx, sub-path, TLS' "https://$name:$nginx_sub_tls/explorer" "https://$name:$nginx_sub_tls"
    check 'nginx: a foreign host is refused' refused_host "http://$name:$nginx_root"
    check 'nginx, TLS: a foreign host is refused' refused_host "https://$name:$nginx_tls"
    check 'nginx, sub-path: a foreign host is refused' refused_host "http://$name:$nginx_sub/explorer"
    check 'nginx, sub-path: the address without a slash' redirected "http://$name:$nginx_sub/explorer"
    check 'nginx: the log has the client' logged "http://$name:$nginx_root"
    check 'nginx, sub-path: the log has the client' logged "http://$name:$nginx_sub/explorer"
    check 'nginx: a password' password "https://$name:$nginx_password"
fi

# --- Caddy ---

has_caddy=
if ! command -v "$caddy" > /dev/null; then
    echo 'SKIPPED caddy: not installed'
else
    has_caddy=1
    free_port; caddy_root="$free"
    free_port; caddy_tls="$free"
    free_port; caddy_sub="$free"
    free_port; caddy_sub_tls="$free"
    free_port; caddy_password="$free"
    free_port; caddy_any="$free"
    # For its certificates and settings.
    mkdir "$work/caddy"
    export XDG_DATA_HOME="$work/caddy" XDG_CONFIG_HOME="$work/caddy"
    hash="$("$caddy" hash-password --plaintext secret 2> "$work/caddy.err")"
    # basic_auth had another name before Caddy 2.8.
    auth=basic_auth
    printf ':1 {\n\tbasic_auth {\n\t\treader %s\n\t}\n}\n' "$hash" > "$work/auth.caddy"
    if ! "$caddy" adapt --adapter caddyfile --config "$work/auth.caddy" > /dev/null 2>&1; then
        auth=basicauth
    fi
    # Below the first block as in docs/explorer.md, but for ports.
    cat > "$work/Caddyfile" << END
{
	admin off
	auto_https disable_redirects
	skip_install_trust
	local_certs
	http_port $caddy_root
	https_port $caddy_tls
	default_bind 127.0.0.1
}
http://$name {
	reverse_proxy 127.0.0.1:$port
}
$name {
	tls internal
	reverse_proxy 127.0.0.1:$port
}
http://$name:$caddy_sub, https://$name:$caddy_sub_tls {
	redir /explorer /explorer/
	handle_path /explorer/* {
		reverse_proxy 127.0.0.1:$port
	}
}
$name:$caddy_password {
	$auth {
		reader $hash
	}
	reverse_proxy 127.0.0.1:$port
}
http://:$caddy_any {
	reverse_proxy 127.0.0.1:$port
}
END
    "$caddy" run --adapter caddyfile --config "$work/Caddyfile" > "$work/caddy.err" 2>&1 &
    processes+=("$!")
    wait_for status_of "http://$name:$caddy_root/healthz"
    wait_for status_of "https://$name:$caddy_tls/healthz"
    wait_for status_of "https://$name:$caddy_password/healthz"
    wait_for status_of "https://$name:$caddy_sub_tls/healthz"
    battery 'caddy' "http://$name:$caddy_root" "http://$name:$caddy_root"
    battery 'caddy, TLS' "https://$name:$caddy_tls" "https://$name:$caddy_tls"
    battery 'caddy, sub-path' "http://$name:$caddy_sub/explorer" "http://$name:$caddy_sub"
    battery 'caddy, sub-path, TLS' "https://$name:$caddy_sub_tls/explorer" "https://$name:$caddy_sub_tls"
    check 'caddy: a foreign host finds nothing' no_foreign_host "http://$name:$caddy_root"
    check 'caddy, TLS: a foreign host finds nothing' no_foreign_host "https://$name:$caddy_tls"
    check 'caddy, any name: a foreign host is refused' refused_host "http://$name:$caddy_any"
    check 'caddy, sub-path: the address without a slash' redirected "http://$name:$caddy_sub/explorer"
    check 'caddy: the log has the client' logged "http://$name:$caddy_root"
    check 'caddy, sub-path: the log has the client' logged "http://$name:$caddy_sub/explorer"
    check 'caddy: a password' password "https://$name:$caddy_password"
fi

# --- What all have in common ---

if [ -n "$has_nginx$has_caddy" ]; then
    sleep "$idle_seconds"
    if [ -n "$has_nginx" ]; then
        check 'nginx: after idleness' after_idleness "https://$name:$nginx_tls"
    fi
    if [ -n "$has_caddy" ]; then
        check 'caddy: after idleness' after_idleness "https://$name:$caddy_tls"
    fi
fi

# The proxies hold connections that no request is under way on.
ended() {
    local since="$SECONDS" _
    kill -TERM "$server"
    for _ in {1..50}; do
        if grep -q '^ended' "$work/plydex.err"; then
            break
        fi
        sleep 0.1
    done
    if [ $((SECONDS - since)) -gt 4 ]; then
        failed 'not in four seconds'
    fi
}
check 'SIGTERM ends the server at once' ended
end=0
wait "$server" || end=$?
check 'its exit status is 0' same 0 "$end"
if [ -n "$has_nginx" ]; then
    check 'nginx: without the server 502' same 502 "$(status_of "https://$name:$nginx_tls/healthz")"
fi
if [ -n "$has_caddy" ]; then
    check 'caddy: without the server 502' same 502 "$(status_of "https://$name:$caddy_tls/healthz")"
fi

if [ "$failures" -gt 0 ]; then
    echo "$failures of $checks checks failed"
    exit 1
fi
echo "all $checks checks passed"
