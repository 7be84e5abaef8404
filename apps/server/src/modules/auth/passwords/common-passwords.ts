/**
 * What people choose when a password must have letters of both cases, a digit and a sign: a common word, a number that is easy
 * to remember, and a sign. Lists of leaked passwords consist mostly of these, so Kassa stores the parts instead of the hundreds
 * of thousands of passwords they make. Words are in lower case, without signs in place of letters.
 */

/** Words that common passwords are made of: of passwords themselves, people, places, games, seasons, trades and crypto. */
export const COMMON_WORDS = `
password passwort passwd pass passcode passphrase pwd parola parole senha contrasena clave motdepasse wachtwoord haslo
salasana parool heslo lozinka sifre geslo admin administrator adm root superuser user username guest test tester testing
demo sample example default temp temporary changeme change letmein login logon signin access open opensesame secret private
secure security safe system server service support helpdesk help info office manager master owner boss operator account
accounts company corporate business shop store market sales money cash dollar gold silver diamond crystal bank payment pay
kassa payram checkout merchant wallet crypto bitcoin btc ethereum eth ether litecoin dogecoin doge tether usdt usdc solana
tron blockchain satoshi hodl tothemoon moon lambo
hello welcome willkommen bienvenue bienvenido hola bonjour ciao namaste iloveyou loveyou love loveme mylove lover forever
babygirl baby sweet sweety sweetie honey princess prince queen king angel angels beautiful sunshine sunflower flower rose
daisy lily butterfly happy smile lucky blessed blessing faith hope jesus jesuschrist christ god godisgood heaven allah
bismillah krishna harekrishna ganesh ganesha sairam shiva omsairam buddha
monkey dragon tiger lion eagle wolf bear shark dolphin horse falcon panther cheetah puppy doggy kitty kitten cat dog bird
turtle chicken cowboy cowboys pirate ninja samurai warrior hunter killer shadow ghost phantom demon devil matrix trustno
superman batman spiderman ironman hulk marvel avengers joker starwars yoda skywalker vader pokemon pikachu naruto goku
minecraft fortnite roblox callofduty playstation xbox nintendo gamer gaming game player zelda mario sonic
football soccer baseball basketball hockey tennis golf cricket rugby boxing karate yankees steelers lakers arsenal chelsea
liverpool barcelona realmadrid juventus milan bayern ronaldo messi jordan kobe champion winner
michael michelle jennifer jessica ashley amanda nicole daniel david robert richard thomas charles charlie joseph joshua
andrew anthony matthew jonathan christopher chris alexander alexandra alex maria mary anna emma sophia sophie olivia laura
sarah samantha stephanie elizabeth patricia patrick peter paul mark martin george james john johnny jack jackson jacob jason
justin kevin brian bryan steven william bill robin samuel victor victoria vanessa natalie natasha diana linda lisa susan
karen barbara sandra andrea carlos juan jose luis miguel fernando diego antonio alejandro francisco maximilian sebastian
tobias stefan andreas markus julian florian hans klaus ali ahmed mohamed mohammed muhammad mustafa fatima omar hassan ibrahim
rahul raj ravi kumar rajesh amit priya sharma singh patel khan nguyen hannah harley maggie bailey buddy ginger pepper max
rocky molly bella luna coco
summer winter spring autumn fall january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday sommer herbst fruhling verano invierno primavera
london paris berlin madrid rome roma moscow dubai delhi mumbai bangalore chennai india pakistan china japan tokyo korea
singapore australia sydney canada toronto america usa england germany deutschland france espana spain italia italy brasil
brazil mexico argentina turkey turkiye istanbul ankara nigeria lagos kenya nairobi egypt cairo israel texas california
florida newyork chicago boston denver phoenix atlanta houston dallas vegas hawaii
google facebook twitter instagram youtube linkedin amazon apple iphone android samsung nokia microsoft windows linux ubuntu
oracle cisco dell lenovo hewlett vmware database mysql postgres sql java python developer computer laptop keyboard internet
network wifi wireless router firewall cloud docker github gitlab wordpress netflix spotify whatsapp telegram snapchat
tiktok paypal binance coinbase
mustang ferrari porsche mercedes bmw audi toyota honda yamaha harleydavidson ducati corvette camaro jaguar nissan subaru
volkswagen tesla
chocolate cookie cookies cheese banana orange lemon cherry strawberry peaches coffee whiskey vodka tequila guinness pizza
burger pumpkin purple yellow black white green blue red pink
freedom liberty justice peace power energy thunder lightning storm rain snow ocean river mountain forest fire water earth
planet galaxy universe star stars rocket space music guitar piano drummer metallica nirvana eminem rockstar hiphop dance
family mother mommy mummy father daddy brother sister friend friends bestfriend school student teacher college university
doctor nurse police soldier army marine navy airforce engineer lawyer scooter maverick ranger hammer
qwerty qwertz azerty qwertyuiop qwer qwert qwe asdf asdfg asdfgh asdfghjkl asd zxc zxcv zxcvb zxcvbn zxcvbnm qaz qazwsx wsx
qweasd qweasdzxc qazxsw abc abcd abcde abcdef abcdefg abcdefgh aaa aaaa bbb xxx xyz aa ab aabb ass fuck fuckyou fuckoff shit
bitch asshole pussy sexy sex hot
`

/** Common passwords that are not a word and a number: paths over a keyboard, and letters alternating with digits. */
export const COMMON_WHOLES = `
1qaz@wsx 1qaz!qaz !qaz2wsx !qaz1qaz @wsx1qaz 2wsx@wsx 1qaz2wsx! 1qaz2wsx# 1qaz2wsx@ 1qaz2wsx3edc! 1qaz@wsx3edc 1qaz@wsx#edc
1qaz!qaz2wsx @wsx3edc !qaz@wsx1 1qazxsw@ 1qazxsw2! !qazxsw2 zaq1@wsx zaq12wsx! zaq!2wsx zaq1xsw@ zaq!xsw2 zaq12wsx@ zaq!1qaz
xsw2@wsx xsw2!qaz 3edc$rfv #edc4rfv 3edc4rfv% 2wsx#edc 2wsx3edc! @wsx#edc4 q1w2e3r4! q1w2e3r4@ q1w2e3r4# q1w2e3r4t5! q1w2e3!
q1w2e3@ q1!w2@e3# q1w2e3r4t5y6! !q2w3e4r !q2w#e4r !q@w3e4r 1q2w3e4r! 1q2w3e4r@ 1q2w3e4r# 1q2w3e4r$ 1q2w3e4r. 1q2w3e4r* 1q2w3e4r5t!
1q2w3e4r5t@ 1q2w3e4r5t6y! 1q2w3e! 1q2w3e@ 1q2w3e$r 1q2w#e$r 1q@w3e4r 1q@w3e$r 1q!q2w@w 1q2w!q@w a1b2c3d4! a1b2c3d4@ a1b2c3! a1b2c3d!
a1s2d3f4! a1s2d3f4@ z1x2c3v4! a!1b@2c#3 a1!b2@c3# p@$$w0rd1 r00t@123 t3st@123 w3lc0m3! 4dm1n!23 c0mpl3x! 1a2b3c4d! 1a2b3c4d@ a123b456!
qwe123!@# qwe!@#123 !@#qwe123 123qwe!@# 1234qwer! !234qwer 1234qwer@ 1234qwer$ qwer1234!@#$ !@#$qwer1234 123qweasd! 123qweasd@
123qwe!@#qwe 123qweasdzxc! zxc123!@# asd123!@# abc123!@# aaa111!!! aa11!!aa aa11bb22! qq123456! 1q1q1q1q! zz123456! xx123456! 1a1a1a1a!
!1qazxsw2 p4$$w0rd p455w0rd! 123abc!@# 123456aa! 123456aa@ 123456abc! 123456qwe! 12345qwert! !12345qwert 1234abcd! !1234abcd !123abc
`

/** Numbers that people put beside a word; the years from 1950 on are computed. */
export const COMMON_NUMBERS = `
0 1 2 3 4 5 6 7 8 9 00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 42 44
45 50 55 56 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 000 007
100 101 110 111 112 121 122 123 124 125 143 147 159 168 177 200 212 222 223 234 247 258 300 312 321 333 345 360 365 404 411 420
444 456 500 520 555 567 654 666 678 700 711 741 747 777 786 789 800 808 852 888 890 900 909 911 963 987 999
0000 0007 0123 1000 1001 1010 1100 1111 1112 1122 1123 1212 1213 1221 1230 1231 1233 1234 1235 1313 1314 1337 1357 1414 1423 1515
1661 1717 1818 2112 2121 2222 2323 2345 2468 2525 3000 3333 3456 4321 4444 4567 5000 5150 5200 5555 5678 6666 6789 6969 7777 7890
8888 9876 9999 11111 12121 12312 12321 12345 12346 13579 22222 23456 33333 44444 54321 55555 56789 66666 77777 88888 98765 99999
000000 010203 101010 111111 111222 112233 121212 121314 123123 123321 123456 123457 123654 123789 131313 142536 147258 159357 159753
222222 246810 321321 321654 333333 456123 456456 456789 555555 654321 666666 696969 777777 789456 888888 987654 999999
1111111 1234567 7654321 7777777 00000000 11111111 11223344 12121212 12341234 12344321 12345678 13131313 66666666 87654321 88888888
123123123 123456789 147258369 987654321 123454321 0123456789 1234567890 0987654321 9876543210 1234512345
`
