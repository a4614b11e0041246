#!/usr/bin/env python3
"""Conformance test of a server that speaks the lichess opening explorer API (stdlib only).
usage: conform.py BASE_URL [PLAYER]     e.g. conform.py http://127.0.0.1:9002 Carlsen
Rules numbered as in docs/explorer.md. Data-independent: holds for any database of chess games."""
import json,sys,re,http.client,urllib.parse as U
B=U.urlparse(sys.argv[1]); PL=sys.argv[2] if len(sys.argv)>2 else 'Carlsen'
START='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
ok=bad=0
def get(path,**q):
    c=http.client.HTTPConnection(B.hostname,B.port,timeout=60); s=path+('?'+U.urlencode(q) if q else '')
    try: c.request('GET',s,headers={'Authorization':'Bearer lip_anything','Origin':'https://example.org'}); r=c.getresponse(); b=r.read()
    except (OSError,http.client.HTTPException) as e: return 0,{},repr(e).encode()
    return r.status,{k.lower():v for k,v in r.getheaders()},b
def J(path,**q):
    st,h,b=get(path,**q)
    if st!=200: return {'_status':st,'moves':[]}
    try: return json.loads(b.splitlines()[-1] if path=='/player' else b)
    except Exception as e: return {'_bad':repr(e),'moves':[]}
def t(n,what,cond,got=''):
    global ok,bad
    if cond: ok+=1
    else: bad+=1; print(f'FAIL {n:4} {what}  {str(got)[:160]}')
def keys(n,what,o,need,allow=()):
    if not isinstance(o,dict): return t(n,what,False,o)
    k=set(o); t(n,what,set(need)<=k and k<=set(need)|set(allow),{'missing':sorted(set(need)-k),'extra':sorted(k-set(need)-set(allow))})
st,h,b=get('/masters'); t('1','/masters 200 without any parameter',st==200,st); t('1','application/json',h.get('content-type','').startswith('application/json'),h.get('content-type'))
t('2','Access-Control-Allow-Origin: *',h.get('access-control-allow-origin')=='*',h)
for p in('/master','/personal?player='+PL+'&color=white','/lichess/history'): t('3','old path '+p,get(p)[0]==200,get(p)[0])
t('3','unknown path 404',get('/nothing')[0]==404,get('/nothing')[0])
m=J('/masters'); l=J('/lichess'); p=J('/player',player=PL,color='white')
keys('4','/masters fields',m,['white','draws','black','moves','topGames','opening'])
keys('4','/lichess fields',l,['white','draws','black','moves','topGames','recentGames','opening'])
keys('4','/player fields',p,['white','draws','black','moves','recentGames','opening','queuePosition'])
for n,r in(('/masters',m),('/lichess',l)):
    for x in r['moves'][:1]: keys('5',n+' move fields',x,['uci','san','averageRating','white','draws','black','game','opening'])
for x in p['moves'][:1]: keys('5','/player move fields',x,['uci','san','averageOpponentRating','performance','white','draws','black','game','opening'])
for x in m.get('topGames',[])[:1]: keys('6','/masters game fields',x,['uci','id','winner','white','black','year','month']); keys('6','player fields',x.get('white'),['name','rating'])
for x in l.get('recentGames',[])[:1]: keys('6','/lichess game fields',x,['uci','id','winner','speed','mode','white','black','year','month'])
for n,r in(('/masters',m),('/lichess',l),('/player',p)):
    mv=r['moves']; tot=[x['white']+x['draws']+x['black'] for x in mv]
    t('7',n+' moves sorted by games, falling',tot==sorted(tot,reverse=True),tot[:20]); t('7',n+' no move without a game',all(tot),tot)
    t('7',n+' counts are integers',all(type(x[k]) is int for x in mv for k in('white','draws','black')))
    t('7',n+' averages are integers',all(x.get(k) is None or type(x[k]) is int for x in mv for k in('averageRating','averageOpponentRating','performance')))
    t('7',n+' game only where one game',all((x['game'] is None) or (x['white']+x['draws']+x['black']==1) for x in mv))
t('8','at most 12 moves by default (/masters, /lichess)',len(m['moves'])<=12 and len(l['moves'])<=12)
t('8','moves=100 gives all 20 first moves or what there is',len(J('/masters',moves=100)['moves'])>=len(m['moves']))
full=J('/masters',moves=100); t('8','sum over moves = total',sum(x['white']+x['draws']+x['black'] for x in full['moves'])==full.get('white',0)+full.get('draws',0)+full.get('black',0))
t('8','moves=0',J('/masters',moves=0)['moves']==[] and J('/masters',moves=0).get('white')==m.get('white'))
t('8','moves=3',len(J('/lichess',moves=3)['moves'])==min(3,len(l['moves'])))
t('9','topGames at most 15 (/masters)',len(J('/masters',topGames=100).get('topGames',[]))<=15,len(J('/masters',topGames=100).get('topGames',[])))
t('9','topGames=0',J('/masters',topGames=0).get('topGames')==[])
t('9','topGames at most 4 (/lichess)',len(l.get('topGames',[]))<=4); t('9','top + recent at most 8',len(l.get('topGames',[]))+len(l.get('recentGames',[]))<=8)
t('9','recentGames=0',J('/lichess',recentGames=0).get('recentGames')==[])
t('9','/player recentGames at most 8',len(p.get('recentGames',[]))<=8)
a=J('/masters',play='e2e4,e7e5'); b2=J('/masters',fen='rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'); t('10','play = fen',{k:a.get(k) for k in('white','draws','black')}=={k:b2.get(k) for k in('white','draws','black')},(a.get('white'),b2.get('white')))
e=J('/masters',fen='rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6'); t('10','EPD of 4 fields; en passant that is not legal is ignored',e.get('white')==b2.get('white'),e)
t('10','underscores for spaces in a FEN',J('/masters',fen=START.replace(' ','_')).get('white')==m.get('white'))
t('10','empty play= is no move',J('/masters',play='').get('white')==m.get('white'))
c='e2e4,e7e5,g1f3,b8c6,f1b5,g8f6'; r=J('/masters',play=c,moves=100); cs=[x for x in r['moves'] if x['san'].startswith('O-O')]
t('11','castling is king takes rook in uci',not cs or cs[0]['uci']=='e1h1',cs[:1] and cs[0]['uci'])
x1,x2=J('/masters',play=c+',e1g1'),J('/masters',play=c+',e1h1'); t('11','play takes e1g1 and e1h1',x1.get('white') is not None and x1.get('white')==x2.get('white'),(x1.get('white'),x2.get('white')))
for q,w in(({'fen':'x'},'bad fen'),({'play':'e2e5'},'illegal move'),({'play':'zz'},'bad uci'),({'moves':'x'},'bad number'),({'since':'1951'},'since before 1952'),({'since':'3001'},'since after 3000')): st,h,b=get('/masters',**q); t('12',w+': 400 with a text',st==400 and len(b)>0,(st,b[:60]))
for q,w in(({'speeds':'fast'},'bad speed'),({'ratings':'x'},'bad rating'),({'since':'2020'},'month wanted'),({'variant':'go'},'bad variant')): st,h,b=get('/lichess',**q); t('12',w+': 400',st==400,(st,b[:60]))
t('12','/player without player 400',get('/player',color='white')[0]==400); t('12','/player without color 400',get('/player',player=PL)[0]==400); t('12','unknown parameters are ignored',get('/lichess',source='analysis',x='y')[0]==200)
s=J('/masters',since=2015,until=2015); t('13','since/until of /masters are years, inclusive',all(x['year']==2015 for x in s.get('topGames',[])),[x['year'] for x in s.get('topGames',[])][:5])
s=J('/lichess',since='2015-03',until='2015-03'); t('13','since/until of /lichess are months, inclusive',all((x['month'] or '')=='2015-03' for x in s.get('recentGames',[])+s.get('topGames',[])),[x['month'] for x in s.get('recentGames',[])][:5])
for d in('2015-3','2015/03'): t('13','since='+d+' is read',get('/lichess',since=d)[0]==200,get('/lichess',since=d)[0])
t('7','no game in moves when neither top nor recent games are asked (/lichess)',all(x['game'] is None for x in J('/lichess',topGames=0,recentGames=0,moves=100)['moves']))
for k in('standard','chess960','fromPosition','chess'): t('14','variant='+k,J('/lichess',variant=k).get('white')==l.get('white'))
for k in('antichess','atomic','crazyhouse','horde','kingOfTheHill','racingKings','threeCheck'): t('14','variant='+k,get('/lichess',variant=k)[0]==200,get('/lichess',variant=k)[0])
full=J('/lichess',speeds='ultraBullet,bullet,blitz,rapid,classical,correspondence').get('white',-1); t('15','all speeds named: no more games than unfiltered',0<=full<=l.get('white',0),full)
g=J('/lichess',ratings='0,1000,1200,1400,1600,1800,2000,2200,2500'); t('15','all rating groups named = all rated games',g.get('white',-1)<=l.get('white',0))
t('15','ratings split adds up',sum(J('/lichess',ratings=str(k)).get('white',-1) for k in(0,1000,1200,1400,1600,1800,2000,2200,2500))==g.get('white',0))
t('15','empty speeds= selects nothing',J('/lichess',speeds='').get('white')==0,J('/lichess',speeds='').get('white'))
hi=J('/lichess',history='true'); t('16','history is an array of month, white, draws, black',isinstance(hi.get('history'),list) and all(set(x)=={'month','white','draws','black'} for x in hi['history']),str(hi.get('history'))[:80])
months=[x['month'] for x in hi.get('history') or []]; t('16','history: months ascending, none left out',months==sorted(set(months)))
t('16','no history by default','history' not in l)
st,h,b=get('/player',player=PL,color='white'); t('17','application/x-ndjson',h.get('content-type','').startswith('application/x-ndjson'),h.get('content-type')); t('17','each line empty or one JSON object, last newline',b.endswith(b'\n') and all(not z.strip() or isinstance(json.loads(z),dict) for z in b.splitlines()))
t('17','last line: queuePosition 0',p.get('queuePosition')==0,p.get('queuePosition'))
t('17','unknown player: 200 and zeros',J('/player',player='nobody-of-this-name',color='black').get('white')==0,J('/player',player='nobody-of-this-name',color='black'))
ids=[x['id'] for x in m.get('topGames',[])]
if ids:
    st,h,b=get('/masters/pgn/'+ids[0]); t('18','PGN 200',st==200 and b.lstrip().startswith(b'[Event'),(st,b[:40])); t('18','application/x-chess-pgn',h.get('content-type','').startswith('application/x-chess-pgn'),h.get('content-type')); t('18','id of 8 letters or digits',all(re.fullmatch('[0-9A-Za-z]{8}',i) for i in ids),ids[:3])
t('18','unknown id 404',get('/masters/pgn/zzzzzzzz')[0]==404,get('/masters/pgn/zzzzzzzz')[0])
o=J('/masters',play='e2e4,c7c5'); t('19','opening of an exact position',(o.get('opening') or {}).get('name')=='Sicilian Defense',o.get('opening')); o=J('/masters',play='e2e4,c7c5,a2a4,a7a5,h2h3,h7h6'); t('19','else the last named one of play',bool(o.get('opening')),o.get('opening'))
t('19','opening of each move',any((x['opening'] or {}).get('name') for x in m['moves']),[x['opening'] for x in m['moves']][:2]); t('19','start position has none',m.get('opening') is None)
try:
    c=http.client.HTTPConnection(B.hostname,B.port,timeout=10); c.request('OPTIONS','/masters',headers={'Origin':'https://example.org','Access-Control-Request-Method':'GET','Access-Control-Request-Headers':'authorization'}); r=c.getresponse(); t('2','OPTIONS answers 200 or 204 and allows authorization',r.status in(200,204) and 'authorization' in (r.getheader('access-control-allow-headers') or '').lower(),r.status)
    c=http.client.HTTPConnection(B.hostname,B.port,timeout=10); c.request('POST','/masters'); t('3','POST is 405',c.getresponse().status==405)
except (OSError,http.client.HTTPException) as e: t('2','OPTIONS, POST answered',False,repr(e))
print(f'{ok} rules hold, {bad} do not'); sys.exit(bad>0)
