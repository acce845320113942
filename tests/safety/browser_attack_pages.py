"""Pages that try every way out of a browser that was thought of. Each way asks for a path of its own, so that a listener can tell them apart."""


def attack_page(private: str, *, secure: str = "", redirects: str = "/redirect") -> str:
    """A page that tries them all against ``private`` (``host:port``); ``secure``: a host and port for protocols with TLS."""
    http, ws, tls = f"http://{private}", f"ws://{private}", secure or private
    return f"""<!doctype html><html lang=en><head><title>attack</title>
<link rel=preconnect href="{http}"><link rel=dns-prefetch href="//leak-by-name.example"><link rel=prefetch href="{http}/prefetch">
<link rel=preload as=image href="{http}/preload"><link rel=modulepreload href="{http}/modulepreload"><link rel=manifest href="{http}/manifest">
<link rel=stylesheet href="{http}/css"><style>@import url("{http}/import"); @font-face {{font-family:x;src:url("{http}/font")}}
body {{font-family:x;background:url("{http}/background")}}</style>
<script type=speculationrules>{{"prefetch":[{{"urls":["{http}/speculation"]}}],"prerender":[{{"urls":["/same","{http}/speculation"]}}]}}</script></head>
<body><h1>attack</h1><img src="{http}/img"><img srcset="{http}/srcset 2x"><svg><use href="{http}/svg-use#a"></use><image href="{http}/img-svg"/></svg>
<iframe src="{http}/iframe"></iframe><iframe srcdoc="<img src='{http}/srcdoc'>"></iframe><iframe sandbox=allow-scripts src="{http}/sandboxed"></iframe>
<iframe srcdoc="<meta http-equiv=refresh content='0;url={http}/refresh-frame'>"></iframe><iframe id=moved></iframe><iframe src="file:///etc/passwd"></iframe>
<object data="{http}/object"></object><embed src="{http}/embed"><video src="{http}/video" autoplay muted></video>
<video autoplay muted><source src="{http}/source"><track default src="{http}/track"></video>
<form id=form method=post action="{http}/form" target=hidden><input name=a value=b></form><iframe name=hidden></iframe>
<a id=ping href="#x" ping="{http}/ping">x</a><img src="{redirects}"><img src="/redirect-2"><img src="/slow">
<script>
const nothing = () => {{}};
const tries = [
 () => fetch('{http}/fetch',{{mode:'no-cors'}}).catch(nothing), () => fetch('{http}/keepalive',{{mode:'no-cors',keepalive:true}}).catch(nothing),
 () => fetch('{redirects}',{{mode:'no-cors'}}).catch(nothing),
 () => {{const x=new XMLHttpRequest();x.open('POST','{http}/xhr');x.send('a')}}, () => navigator.sendBeacon('{http}/beacon','x'),
 () => new WebSocket('{ws}/ws'), () => new EventSource('{http}/sse'), () => import('{http}/module').catch(nothing),
 () => document.getElementById('form').submit(), () => document.getElementById('ping').click(),
 () => window.open('{http}/popup'), () => window.open(URL.createObjectURL(new Blob(["<img src='{http}/opened-blob'>"],{{type:'text/html'}}))),
 () => window.open('data:text/html,<img src="{http}/opened-data">'),
 () => document.getElementById('moved').src='{http}/frame-location',
 () => new Worker(URL.createObjectURL(new Blob(["fetch('{http}/worker',{{mode:'no-cors'}}).catch(()=>0);new WebSocket('{ws}/worker-ws');try{{importScripts('{http}/worker-script')}}catch(e){{}}"]))),
 () => new SharedWorker(URL.createObjectURL(new Blob(["fetch('{http}/shared',{{mode:'no-cors'}}).catch(()=>0)"]))),
 () => navigator.serviceWorker.register('/service-worker.js').catch(nothing),
 () => {{const p=new RTCPeerConnection({{iceServers:[{{urls:'turn:{private}?transport=tcp',username:'a',credential:'b'}},{{urls:'turn:{private}?transport=udp',username:'a',credential:'b'}},
   {{urls:'turns:{tls}?transport=tcp',username:'a',credential:'b'}},{{urls:'stun:{private}'}}]}});p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o));}},
 () => {{const p=new RTCPeerConnection();p.createDataChannel('x');p.createOffer().then(async o=>{{await p.setLocalDescription(o);
   const [h,port]=['{private}'.replace(/:\\d+$/,'').replace(/[\\[\\]]/g,''),'{private}'.match(/\\d+$/)[0]];
   const q=new RTCPeerConnection();await q.setRemoteDescription(o);const a=await q.createAnswer();await q.setLocalDescription(a);await p.setRemoteDescription(a);
   for (const kind of ['udp','tcp']) await p.addIceCandidate({{candidate:`candidate:1 1 ${{kind}} 2130706431 ${{h}} ${{port}} typ host`+(kind=='tcp'?' tcptype passive':''),sdpMLineIndex:0}}).catch(nothing);}})}},
 () => new WebTransport('https://{tls}/webtransport').ready.catch(nothing),
 () => {{const p=document.createElement('portal');p.src='{http}/portal';document.body.append(p)}},
 () => {{const f=document.createElement('fencedframe');f.config=new FencedFrameConfig('{http}/fenced');document.body.append(f)}},
 () => navigator.credentials.get({{identity:{{providers:[{{configURL:'https://{tls}/fedcm',clientId:'a'}}]}}}}).catch(nothing),
 () => new PaymentRequest([{{supportedMethods:'https://{tls}/payment'}}],{{total:{{label:'a',amount:{{currency:'EUR',value:'1'}}}}}}).canMakePayment().catch(nothing),
 () => new Notification('x',{{icon:'{http}/notification'}}), () => navigator.mediaSession && (navigator.mediaSession.metadata=new MediaMetadata({{artwork:[{{src:'{http}/artwork'}}]}})),
 () => navigator.geolocation.getCurrentPosition(nothing), () => navigator.mediaDevices.getUserMedia({{audio:true}}).catch(nothing),
 () => navigator.usb && navigator.usb.requestDevice({{filters:[]}}).catch(nothing), () => navigator.bluetooth && navigator.bluetooth.requestDevice({{acceptAllDevices:true}}).catch(nothing),
 () => new PresentationRequest('{http}/presentation').getAvailability().catch(nothing), () => document.createElement('video').remote.watchAvailability(nothing).catch(nothing),
 () => fetch('file:///etc/passwd').then(r=>r.text()).then(t=>document.title=t).catch(nothing), () => print(), () => navigator.share({{url:'{http}/share'}}).catch(nothing),
 () => location.hash = 'x', () => history.pushState(0,'','/pushed'),
];
for (const one of tries) try {{ one() }} catch (e) {{}}
addEventListener('pagehide', () => {{ navigator.sendBeacon('{http}/beacon-at-end','x'); fetch('{http}/fetch-at-end',{{keepalive:true,mode:'no-cors'}}) }});
</script></body></html>"""


def service_worker(private: str) -> str:
    """A service worker that asks as soon as it is installed."""
    return f"self.addEventListener('install',e=>e.waitUntil(fetch('http://{private}/service-worker',{{mode:'no-cors'}}).catch(()=>0)))"


def headers_that_attack(private: str) -> list[tuple[str, str]]:
    """Headers of a page that name ``private``: what browsers fetch, prefetch or report to because of them."""
    http = f"http://{private}"
    return [
        ("Link", f"<{http}/link-preload>; rel=preload; as=style"),
        ("Link", f"<{http}/link-style>; rel=stylesheet"),
        ("Link", f"<{http}/link-preconnect>; rel=preconnect"),
        ("Link", f"<{http}/link-prefetch>; rel=prefetch"),
        ("Link", f"<{http}/link-module>; rel=modulepreload"),
        ("Link", f"<{http}/link-dictionary>; rel=compression-dictionary"),
        ("Speculation-Rules", f'"{http}/speculation-header"'),
        ("Content-Security-Policy-Report-Only", f"img-src 'none'; report-uri {http}/csp-report; report-to e"),
        ("Report-To", f'{{"group":"e","max_age":9999,"endpoints":[{{"url":"https://{private}/report-to"}}]}}'),
        ("Reporting-Endpoints", f'e="https://{private}/reporting", default="{http}/reporting-default"'),
        ("NEL", '{"report_to":"e","max_age":9999,"success_fraction":1.0}'),
        ("Alt-Svc", f'h2="{private}"; ma=9999, h3="{private}"; ma=9999'),
        ("SourceMap", f"{http}/source-map"),
        ("Secure-Session-Registration", f'(ES256);path="{http}/session"'),
        ("Critical-CH", "DPR"),
    ]


def early_hints(private: str) -> bytes:
    """A page that sends hints about ``private`` before its response."""
    html = b"<!doctype html><title>early</title>"
    hints = f"Link: <http://{private}/early-preload>; rel=preload; as=style\r\nLink: <http://{private}/early-connect>; rel=preconnect\r\n"
    head = f"HTTP/1.1 103 Early Hints\r\n{hints}\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(html)}\r\n\r\n"
    return head.encode() + html


def second_attack_page(private: str) -> str:
    """A page of rarer ways: other destinations of requests, worklets, workers within workers, SVG, XML, PDF, reports, odd schemes."""
    http, ws = f"http://{private}", f"ws://{private}"
    return f"""<!doctype html><html lang=en><head><title>attack</title><link rel=icon href="{http}/icon"><link rel="alternate stylesheet" title=x href="{http}/alternate-css">
<link rel=prerender href="{http}/prerender"><link rel=search type="application/opensearchdescription+xml" href="{http}/search">
<link rel=compression-dictionary href="{http}/dictionary"><link rel=stylesheet media="(min-width:99999px)" href="{http}/unmatched-css">
<link rel=preload as=fetch crossorigin href="{http}/preload-fetch"><link rel=preload as=font crossorigin href="{http}/preload-font">
<script type=importmap>{{"imports":{{"x":"{http}/import-map"}}}}</script><script type=module src="{http}/module-src"></script>
<script type=webbundle>{{"source":"{http}/bundle","resources":["{http}/bundled"]}}</script><style>@import "{http}/import-supports" supports(display:block) layer(a);</style>
<style>ul{{list-style-image:url({http}/list-image)}} p::before{{content:url({http}/content)}} div{{background:image-set(url({http}/image-set) 1x)}}
p{{cursor:url({http}/cursor),auto;border-image:url({http}/border-image);mask-image:url({http}/mask);shape-outside:url({http}/shape);float:left;filter:url({http}/filter#a);clip-path:url({http}/clip#a)}}</style>
</head><body background="{http}/body-background"><h1>attack</h1><ul><li>x</ul><p>x</p><div>x</div><table background="{http}/table-background"><tr><td>x</table>
<svg><filter id=f><feImage href="{http}/fe-image"/></filter><rect filter="url(#f)" width=9 height=9 /><script href="{http}/svg-script"></script>
<mask id=m><image xlink:href="{http}/svg-xlink"/></mask><rect mask="url(#m)" width=9 height=9 /></svg><input type=image src="{http}/input-image">
<audio src="{http}/audio" autoplay></audio><video poster="{http}/poster"></video><picture><source srcset="{http}/picture"><img></picture>
<object data="{http}/object.pdf" type=application/pdf></object><embed src="{http}/embed.pdf" type=application/pdf><object type=image/svg+xml data="{http}/object.svg"></object>
<img src="ftp://{private}/ftp-image"><iframe src="ftp://{private}/ftp-frame"></iframe><iframe src="view-source:{http}/source-frame"></iframe><iframe src="chrome://version"></iframe>
<iframe src="data:text/html,<img src={http}/data-frame>"></iframe><iframe src="javascript:'<img src={http}/javascript-frame>'"></iframe>
<iframe credentialless src="{http}/credentialless"></iframe><iframe loading=lazy src="{http}/lazy-frame"></iframe><img loading=lazy src="{http}/lazy-image">
<img attributionsrc="{http}/attribution" src="{http}/attributed"><iframe src="/styled.xml"></iframe><iframe src="/entities.xhtml"></iframe><iframe src="/refresh-frame"></iframe>
<object data="/picture.svg"></object><a id=blank href="{http}/blank-link" target=_blank>x</a><form id=blankform action="{http}/blank-form" method=post target=_blank></form>
<form id=getform action="{http}/get-form" target=two></form><iframe name=two></iframe><button id=button form=blankform formaction="{http}/formaction" formtarget=three>x</button><iframe name=three></iframe>
<script>
const nothing = () => {{}}, click = (id) => document.getElementById(id).click(), script = (text) => 'data:text/javascript,'+encodeURIComponent(text);
const nested = "fetch('{http}/nested-worker',{{mode:'no-cors'}}).catch(()=>0)";
const tries = [
 () => new AudioContext().audioWorklet.addModule('{http}/audio-worklet').catch(nothing), () => CSS.paintWorklet.addModule('{http}/paint-worklet').catch(nothing),
 () => CSS.animationWorklet.addModule('{http}/animation-worklet').catch(nothing), () => sharedStorage.worklet.addModule('{http}/storage-worklet').catch(nothing),
 () => fetchLater('{http}/fetch-later',{{activateAfter:0}}), () => import('x').catch(nothing), () => import('{http}/json-module',{{with:{{type:'json'}}}}).catch(nothing),
 () => import('{http}/css-module',{{with:{{type:'css'}}}}).catch(nothing), () => new WebSocketStream('{ws}/ws-stream'), () => new WebSocket('ws://u:p@{private}/ws-login'),
 () => fetch('{http}/private-token',{{mode:'no-cors',privateToken:{{version:1,operation:'token-request'}}}}).catch(nothing),
 () => fetch('{http}/address-space',{{mode:'no-cors',targetAddressSpace:'loopback'}}).catch(nothing), () => fetch('http://u:p@{private}/login',{{mode:'no-cors'}}).catch(nothing),
 () => fetch('{http}/preflight',{{method:'PUT',headers:{{'x-a':'b'}},body:'x'}}).catch(nothing), () => fetch('{http}/post',{{method:'POST',mode:'no-cors',body:'x'}}).catch(nothing),
 () => fetch('/redirect-307',{{method:'POST',mode:'no-cors',body:'x'}}).catch(nothing), () => {{const x=new XMLHttpRequest();x.open('GET','{http}/xhr-sync',false);x.send()}},
 () => new Worker(script("new EventSource('{http}/worker-sse');import('{http}/worker-import').catch(()=>0);new Worker(URL.createObjectURL(new Blob(["+JSON.stringify(nested)+"])));const x=new XMLHttpRequest();x.open('GET','{http}/worker-xhr',false);x.send()")),
 () => new SharedWorker(script("new WebSocket('{ws}/shared-ws');new EventSource('{http}/shared-sse');importScripts('{http}/shared-script')")),
 () => new Worker('/worker.js'), () => new Worker('{http}/worker-cross'), () => navigator.serviceWorker.register('/module-service-worker.js',{{type:'module'}}).catch(nothing),
 () => click('blank'), () => document.getElementById('blankform').submit(), () => document.getElementById('getform').submit(), () => click('button'),
 () => window.open('{http}/opened','_blank','noopener'), () => window.open('about:blank').document.write('<img src={http}/opened-written>'),
 () => navigator.credentials.get({{publicKey:{{challenge:new Uint8Array(9),rpId:'{private.partition(":")[0]}'}}}}).catch(nothing),
 () => navigator.joinAdInterestGroup({{owner:'https://{private}',name:'x',biddingLogicURL:'https://{private}/bid.js'}},99).catch(nothing),
 () => navigator.runAdAuction({{seller:'https://{private}',decisionLogicURL:'https://{private}/decide.js',interestGroupBuyers:[]}}).catch(nothing),
 () => new TCPSocket('{private.partition(":")[0]}',{private.rpartition(":")[2]}), () => document.requestStorageAccessFor('https://{private}').catch(nothing),
 () => navigator.serviceWorker.ready.then(r=>r.backgroundFetch.fetch('x',['{http}/background-fetch'])), () => navigator.registerProtocolHandler('web+x','{http}/%s'),
 () => new FontFace('y','url({http}/font-face)').load().catch(nothing), () => {{new Image().srcset='{http}/srcset-by-script 1x'}}, () => new Audio('{http}/audio-by-script').play().catch(nothing),
 () => {{const s=document.createElement('script');s.type='speculationrules';s.textContent='{{"prefetch":[{{"urls":["{http}/speculation-by-script"],"eagerness":"immediate"}}],"prerender":[{{"urls":["{http}/prerender-by-script"]}}]}}';document.head.append(s)}},
 () => document.body.append(document.adoptNode(new DOMParser().parseFromString('<img src={http}/parsed>','text/html').body.firstChild)),
 () => {{const s=new CSSStyleSheet();s.replaceSync('h1{{background:url({http}/constructed)}}');document.adoptedStyleSheets=[s]}},
 () => {{const p=new XSLTProcessor();p.importStylesheet(new DOMParser().parseFromString('<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:include href="{http}/xslt-include"/></xsl:stylesheet>','text/xml'));p.transformToFragment(document,document)}},
 () => document.write('<script src="{http}/written-script"><\\/script>'),
];
for (const one of tries) try {{ one() }} catch (e) {{}}
</script></body></html>"""


def files_of_second_attack(private: str) -> dict[str, tuple[str, str]]:
    """Path to (text, type) of the files that the second page loads from its own host."""
    http = f"http://{private}"
    return {
        "/styled.xml": (f'<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="{http}/xsl"?><a/>', "text/xml"),
        "/entities.xhtml": (
            f'<!DOCTYPE html [<!ENTITY x SYSTEM "{http}/entity"><!ENTITY % y SYSTEM "{http}/parameter-entity"> %y;]><html xmlns="http://www.w3.org/1999/xhtml"><body>&x;</body></html>',
            "application/xhtml+xml",
        ),
        "/picture.svg": (
            f'<svg xmlns="http://www.w3.org/2000/svg"><image href="{http}/inner-svg"/><use href="{http}/inner-use#a"/><script href="{http}/inner-script"/><style>@import url({http}/inner-import);</style></svg>',
            "image/svg+xml",
        ),
        "/worker.js": (
            f"fetch('{http}/own-worker',{{mode:'no-cors'}});new WebSocket('ws://{private}/own-worker-ws');import('{http}/own-worker-import').catch(()=>0)",
            "text/javascript",
        ),
        "/module-service-worker.js": (f"import '{http}/service-worker-import'", "text/javascript"),
    }
