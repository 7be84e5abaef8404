import type { PayFacts } from '../../render/panels/wallet.ts'
import { fill } from '../fill.ts'
import { isExpired, isSameTransfer, currentPayFacts, texts } from './pending-request.ts'
import { codeOf, run, showStep } from './steps.ts'
import type { Place } from './steps.ts'
import type { Finder, Send, Wallet } from './wallet.ts'
import { isLatest } from './attempts.ts'
import { drawSent, isSentWaiting } from '../sent/notice.ts'
import { sendRemembered } from '../sent/record.ts'

/** EIP-3326. */
const UNKNOWN_NETWORK = 4902

type Session = Place & { readonly wallet: Wallet; readonly account: string }

/** Sends what the page asks for from a wallet of this browser; asks the wallet for nothing but this one transfer. */
export function payWith(find: Finder, steps: HTMLElement): Promise<void> {
  return run(steps, (place) => offer(find, place))
}

async function offer(find: Finder, place: Place): Promise<void> {
  const wanted = currentPayFacts()
  const wallets = await find()
  const [only] = wallets
  if (only === undefined) return showStep(place, texts().none)
  if (wallets.length === 1) return start(place, only, wanted)
  const choices = wallets.map((wallet) => {
    const { name, icon } = wallet
    return { text: name, icon, press: (next: Place) => start(next, wallet, wanted) }
  })
  showStep(place, texts().choose, choices)
}

async function start(place: Place, wallet: Wallet, wanted: PayFacts | null): Promise<void> {
  showStep(place, texts().asking)
  const account = await wallet.connect()
  if (account === '') throw new TypeError('The wallet gave no account')
  if (!isLatest(place.attempt)) return
  listen(wallet)
  await check({ ...place, wallet, account }, wanted)
}

/** The session on screen; a wallet that is not in use any more may tell what it likes. */
let current: Session | undefined
const heard = new WeakSet<object>()

/** A wallet tells of another account or network once per page, whichever transfer is under way. */
function listen(wallet: Wallet): void {
  if (heard.has(wallet.door)) return
  heard.add(wallet.door)
  wallet.listen(() => {
    const session = current
    if (session?.wallet.door !== wallet.door || !session.steps.isConnected) return
    if (session.steps.querySelector('[data-send]') === null) return
    void run(session.steps, (place) => recheck({ ...session, ...place }))
  })
}

async function recheck(session: Session): Promise<void> {
  const account = await session.wallet.account()
  if (account === '') return showStep(session, '')
  await check({ ...session, account }, null, account === session.account ? '' : texts().changed)
}

/**
 * Nothing can be sent before the wallet is on the payment's network and holds what it takes. `wanted` is what stood on the
 * page when the customer said to send: something else is offered, and not sent.
 */
async function check(session: Session, wanted: PayFacts | null, note = ''): Promise<void> {
  const { wallet, account, steps } = session
  if (isLatest(session.attempt)) current = session
  const pay = currentPayFacts()
  if (pay === null) return showStep(session, '')
  if (isExpired(pay)) return showStep(session, texts().lapsed)
  const network = await wallet.network(pay.chainId)
  const send = { text: texts().send, press: (next: Place) => check({ ...session, ...next }, pay) }
  if (network !== pay.chainId) {
    const from = networksOf(steps)[network] ?? (network.startsWith('0x') ? `#${BigInt(network)}` : network || '?')
    const change = { text: texts().switch, press: (next: Place) => changeNetwork({ ...session, ...next }, pay) }
    const presses = wallet.goTo ? [change] : []
    return showStep(session, fill(texts().wrongNetwork, { from }), [...presses, { ...send, off: true }])
  }
  const prepared = await wallet.prepare(pay, account)
  if (typeof prepared === 'string') return showStep(session, texts()[prepared], [{ ...send, off: true }])
  if (wanted === null || !isSameTransfer(pay, wanted)) return showStep(session, note, [send])
  if ((await wallet.account()) !== account) return recheck(session)
  await sendNow(session, pay, prepared)
}

async function changeNetwork(session: Session, { chainId }: PayFacts): Promise<void> {
  try {
    await session.wallet.goTo?.(chainId)
  } catch (thrown) {
    if (codeOf(thrown) !== UNKNOWN_NETWORK) throw thrown
    return showStep(session, texts().addNetwork)
  }
  await check(session, null)
}

async function sendNow(session: Session, checked: PayFacts, send: Send): Promise<void> {
  if (!isLatest(session.attempt)) return
  const pay = currentPayFacts()
  if (pay === null || !isSameTransfer(pay, checked) || isExpired(pay)) return check(session, null)
  drawSent()
  // The customer must not pay twice before the network shows the transaction.
  if (isSentWaiting()) return showStep(session, '')
  showStep(session, texts().asking)
  await sendRemembered(send)
  showStep(session, '')
}

function networksOf({ dataset }: HTMLElement): Readonly<Record<string, string>> {
  return JSON.parse(dataset['networks'] ?? '{}') as Record<string, string>
}
