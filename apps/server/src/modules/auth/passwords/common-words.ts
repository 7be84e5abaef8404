/**
 * Words that a password is not to consist of, with a number and signs around them: written for this project, by topic. What
 * people choose beside words (paths over the keyboard, alphabets, repeated signs, numbers) is computed in
 * `password-patterns.ts`, and so are months and weekdays. In lower case, without accents and without signs in place of letters.
 */

/** The word itself in languages that Kassa is read in, what it opens, and who opens it. */
const ACCESS = `
password passwort passord parola parole palavra senha contrasena clave motdepasse wachtwoord haslo heslo salasana losenord
lozinka sifre geslo kodeord passcode passphrase pass pwd pin code key login logon signin letmein letin open opensesame enter
access secret private secure security safe safety hidden change changeme new temp temporary default initial example sample
admin administrator root superuser user username guest visitor test tester testing demo trial system server service support
help helpdesk office manager owner boss chief operator developer developers staff member customer client account company
business internet network computer laptop phone keyboard database cloud website online
`

/** What this install is about. */
const TRADE = `
kassa pay payment payments checkout invoice merchant shop store market cashier till money cash coin coins dollar euro bank
banking wallet gold silver diamond crypto blockchain token bitcoin ether ethereum tether litecoin dogecoin polygon solana tron
satoshi mining miner moon lambo rich million millionaire profit
`

/** Greetings, love, faith and luck. */
const GREETINGS = `
hello hi hey welcome willkommen bienvenue bienvenido benvenuto hola hallo bonjour ciao salut namaste goodbye thanks please
love loves lovely iloveyou loveyou mylove lover forever always baby sweet sweetheart darling honey princess prince queen king
angel beautiful sunshine happy smile lucky luck blessed faith hope peace freedom god jesus heaven allah buddha krishna friend
friends family mother mommy father daddy brother sister
`

/** Animals, plants, food, colours and the sky. */
const NATURE = `
dog doggy puppy cat kitty kitten bird horse tiger lion eagle wolf bear shark dolphin dragon monkey rabbit turtle chicken fish
snake spider butterfly flower flowers rose daisy lily orchid tree forest river mountain ocean beach island water fire earth
wind rain snow storm thunder lightning star stars sun moonlight sky space rocket galaxy planet universe summer winter spring
autumn fall sommer herbst fruhling ete hiver printemps automne verano invierno primavera otono estate inverno autunno
apple banana orange lemon cherry strawberry peach chocolate cookie cheese coffee tea pizza burger beer wine
red green blue yellow orange purple black white pink grey
`

/** Sport, play, music and vehicles. */
const LEISURE = `
football soccer basketball baseball hockey tennis golf cricket rugby boxing karate running champion winner player game games
gamer gaming master ninja warrior hunter killer shadow ghost phantom demon devil joker batman superman spiderman pokemon music
guitar piano drummer rock rockstar jazz dance dancer movie star school student teacher doctor police soldier engineer car cars
truck driver racing motor bike ferrari porsche mercedes bmw audi toyota honda yamaha
`

/** First names that are frequent in the countries of these languages. */
const NAMES = `
michael david daniel james john robert william thomas richard joseph charles christopher matthew anthony mark paul peter george
kevin brian jason eric andrew joshua ryan jacob alexander alex max leo lucas luca noah liam oliver jack harry charlie sam samuel
benjamin adam simon martin stefan andreas klaus hans jan tom tim nick nicole anna anne maria mary sarah laura emma sophie sophia
julia lisa linda susan karen jennifer jessica amanda ashley emily hannah olivia lucy alice charlotte elizabeth victoria diana
eva elena irina olga natalia sandra andrea martina claudia carlos juan jose luis miguel pedro pablo diego antonio fernando
francisco marco mario paolo giulia francesca pierre marie camille julie mohamed mohammed muhammad ahmed ali hassan hussein omar
ibrahim mustafa fatima aisha ayse mehmet raj rahul ravi amit priya anita sunita singh kumar sharma patel khan wei ming li wang
nguyen yuki sakura hiroshi ivan dmitry sergey vladimir alexei boris tatiana katarzyna piotr pavel jiri
`

/** Places. */
const PLACES = `
america usa england london britain germany deutschland berlin france paris spain espana madrid italy italia rome roma milan
portugal lisbon netherlands holland amsterdam poland warsaw prague vienna russia moscow ukraine kyiv turkey turkiye istanbul
israel egypt cairo dubai iran tehran india delhi mumbai pakistan bangladesh china beijing shanghai hongkong taiwan japan tokyo
korea seoul vietnam thailand bangkok indonesia jakarta singapore australia sydney canada toronto mexico brazil brasil argentina
chile colombia nigeria lagos kenya africa europe asia newyork california texas florida chicago boston
`

/** All of them. */
export const COMMON_WORDS: readonly string[] = [ACCESS, TRADE, GREETINGS, NATURE, LEISURE, NAMES, PLACES]
  .join(' ')
  .split(/\s+/)
  .filter((word) => word !== '')
