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
