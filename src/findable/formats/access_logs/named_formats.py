"""Format strings of well-known servers and load balancers by name, as the option ``--format`` takes it."""

_COMMON = '%h %l %u %t "%r" %>s %b'
_COMBINED = f'{_COMMON} "%{{Referer}}i" "%{{User-agent}}i"'
_BALANCER = '$remote_addr $target $times1 $times2 $times3 $status $target_status $in $out "$request" "$http_user_agent" …'
FORMATS = {
    "combined": _COMBINED,
    "vhost": f"%v:%p {_COMBINED}",
    "vhost-without-port": f"%v {_COMBINED}",
    "nginx-main": f'{_COMBINED} "$http_x_forwarded_for"',
    "alb": f"$type $time_iso8601 $balancer {_BALANCER}",
    "elb": f"$time_iso8601 $balancer {_BALANCER}",
    "vhost-and-more": f"%v:%p {_COMBINED} …",
    "combined-and-more": f"{_COMBINED} …",
    "common": _COMMON,
}
"""Formats by name, the most specific first. ``…``: any more fields.

Sources: Apache HTTP Server, mod_log_config; nginx, ngx_http_log_module; AWS, "Access logs for your Application Load Balancer" and
"Access logs for your Classic Load Balancer".
"""
