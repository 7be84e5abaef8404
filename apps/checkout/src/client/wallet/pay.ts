import type { PayFacts, WalletTexts } from '../../render/wallet.ts'
import { announcedWallets } from './providers.ts'
import type { Provider, Wallet } from './providers.ts'
import { shortage, transferOf } from './transfer.ts'

/** Codes of EIP-1193 and EIP-3326. */
const DECLINED = 4001
const UNKNOWN_NETWORK = 4902

type Place = { readonly steps: HTMLElement }
type Session = Place & { readonly provider: Provider; readonly account: string }
type Press = {
  readonly text: string
  readonly press: () => Promise<void>
  readonly off?: boolean
  readonly icon?: string
}

/** Sends what the page asks for from a wallet of this browser; asks the wallet for nothing but this one transfer. */
export async function payWithWallet(steps: HTMLElement): Promise<void> {
  const place = { steps }
  const wallets = await announcedWallets()
  const [only] = wallets
  if (only === undefined) return tell(place, texts().none)
  if (wallets.length === 1) return start(place, only)
  const choices = wallets.map((wallet) => {
    const { name, icon } = wallet.info
    return { text: name, icon, press: () => start(place, wallet) }
  })
  tell(place, texts().choose, choices)
}

async function start(place: Place, { provider }: Wallet): Promise<void> {
  tell(place, texts().asking)
  const account = await ask(place, provider, 'eth_requestAccounts')
  if (account === undefined) return
  const session = { ...place, provider, account: firstOf(account) }
  listen(session)
  await check(session, true)
}

/** A wallet tells of another account or network once per page, whichever transfer is under way. */
const heard = new WeakMap<Provider, () => void>()

function listen(session: Session): void {
  const { provider, steps } = session
  const isNew = !heard.has(provider)
  heard.set(provider, () => {
    if (steps.isConnected && steps.querySelector('[data-send]') !== null) void recheck(session)
  })
  if (!isNew) return
  for (const event of ['accountsChanged', 'chainChanged']) provider.on?.(event, () => heard.get(provider)?.())
}

async function recheck(session: Session): Promise<void> {
  const account = firstOf(await session.provider.request({ method: 'eth_accounts' }))
  if (account === '') return tell(session, '')
  await check({ ...session, account }, false, account === session.account ? '' : texts().changed)
}

/** Nothing can be sent before the wallet is on the payment's network and holds what it takes. */
async function check(session: Session, sendsAtOnce: boolean, note = ''): Promise<void> {
  const { provider, account, steps } = session
  const pay = payOnScreen()
  if (pay === null) return tell(session, '')
  const chainId = await provider.request({ method: 'eth_chainId' })
  const send = { text: texts().send, press: () => check(session, true) }
  if (BigInt(String(chainId)) !== BigInt(pay.chainId)) {
    const from = networksOf(steps)[`0x${BigInt(String(chainId)).toString(16)}`] ?? `#${BigInt(String(chainId))}`
    const change = { text: texts().switch, press: () => changeNetwork(session, pay) }
    return tell(session, texts().wrongNetwork.replace('{from}', from), [change, { ...send, off: true }])
  }
  const short = await shortage(provider, pay, account)
  if (short !== null) return tell(session, texts()[short], [{ ...send, off: true }])
  if (!sendsAtOnce) return tell(session, note, [send])
  if (firstOf(await provider.request({ method: 'eth_accounts' })) !== account) return recheck(session)
  await sendNow(session, pay)
}

async function changeNetwork(session: Session, { chainId }: PayFacts): Promise<void> {
  const { provider } = session
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch (thrown) {
    return tell(session, codeOf(thrown) === UNKNOWN_NETWORK ? texts().addNetwork : refusalOf(thrown))
  }
  await check(session, false)
}

async function sendNow(session: Session, pay: PayFacts): Promise<void> {
  tell(session, texts().asking)
  const hash = await ask(session, session.provider, 'eth_sendTransaction', transferOf(pay, session.account))
  if (typeof hash !== 'string') return
  // Nobody pays twice while the network has not told us yet.
  document.getElementById('pay-with-wallet')?.setAttribute('hidden', '')
  const short = `${hash.slice(2, 6)}…${hash.slice(-4)}`
  tell(session, texts().sent.replace('{hash}', `\u2066${short}\u2069`))
}

/** Asks the wallet; what it refuses is said, and nothing comes back. */
async function ask(place: Place, provider: Provider, method: string, ...params: readonly unknown[]): Promise<unknown> {
  try {
    return await provider.request(params.length === 0 ? { method } : { method, params })
  } catch (thrown) {
    tell(place, refusalOf(thrown))
    return undefined
  }
}

function refusalOf(thrown: unknown): string {
  return codeOf(thrown) === DECLINED ? texts().declined : texts().failed
}

/** A redrawn page that asks for nothing any more has no texts: the last ones are as good. */
let lastTexts: WalletTexts | undefined

function texts(): WalletTexts {
  lastTexts = payOnScreen()?.texts ?? lastTexts
  if (lastTexts === undefined) throw new Error('Nothing is asked for')
  return lastTexts
}

/** The page is redrawn while a wallet is asked: what is sent is what it shows now. */
function payOnScreen(): PayFacts | null {
  const pay = document.getElementById('view')?.dataset['pay']
  return pay === undefined ? null : (JSON.parse(pay) as PayFacts)
}

function networksOf({ dataset }: HTMLElement): Readonly<Record<string, string>> {
  return JSON.parse(dataset['networks'] ?? '{}') as Record<string, string>
}

function firstOf(accounts: unknown): string {
  return Array.isArray(accounts) && typeof accounts[0] === 'string' ? accounts[0] : ''
}

function codeOf(thrown: unknown): number | undefined {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? Number(thrown.code) : undefined
}

/** The region stays, so that a screen reader hears what comes into it. */
function tell({ steps }: Place, text: string, presses: readonly Press[] = []): void {
  const words = document.createElement('p')
  words.textContent = text
  const row = document.createElement('div')
  row.className = 'actions'
  row.append(...presses.map((press) => button({ steps }, press)))
  steps.replaceChildren(...(text === '' ? [] : [words]), ...(presses.length === 0 ? [] : [row]))
}

function button(place: Place, { text, press, off, icon }: Press): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'button'
  made.textContent = text
  made.disabled = off === true
  if (icon === undefined) made.dataset['send'] = ''
  // A picture that lies elsewhere would tell its host who pays here.
  else if (icon.startsWith('data:image/')) made.prepend(pictureOf(icon))
  made.addEventListener('click', () => void run(place, press))
  return made
}

/** What is under way is not started twice. */
async function run(place: Place, press: () => Promise<void>): Promise<void> {
  for (const one of place.steps.querySelectorAll('button')) one.disabled = true
  try {
    await press()
  } catch {
    tell(place, texts().failed)
  }
}

function pictureOf(icon: string): HTMLImageElement {
  const picture = document.createElement('img')
  picture.src = icon
  picture.alt = ''
  picture.width = 24
  picture.height = 24
  return picture
}
