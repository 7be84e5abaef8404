import { html } from './html.ts'
import type { Html, Part } from './html.ts'
import type { StateName } from './rules.ts'

/** What a state says: headline, body, and the line of the status region. `{names}` are filled from the facts. */
export type Message = { readonly title: string; readonly body: string; readonly status: string }

/** The states table of screens.md 3.43. */
export const MESSAGES: Readonly<Record<StateName, Message>> = {
  choose: {
    title: 'Choose how to pay',
    body: 'The exact amount is fixed on the next page.',
    status: 'Choose a currency and a network',
  },
  waiting: {
    title: 'Send exactly {amount} on {network}',
    body: '',
    status: 'Waiting for your payment',
  },
  'network-behind': {
    title: '{network} answers slowly right now.',
    body: 'Payments are found a little later; none is lost.',
    status: '{network} answers slowly right now',
  },
  'price-lapsed': {
    title: 'The price has lapsed.',
    body: 'You haven’t lost anything; take a new price and go on.',
    status: 'The price has lapsed',
  },
  detected: {
    title: 'We see your payment.',
    body: '{seen}, {current} of {required} confirmations. You can close this page.',
    status: 'We see your payment',
  },
  confirming: {
    title: '{current} of {required} confirmations{left}.',
    body: 'We see your payment of {seen}. You can close this page.',
    status: '{current} of {required} confirmations',
  },
  paid: {
    title: 'Paid. Thank you.',
    body: '{merchant} has your payment of {paid}.',
    status: 'Paid',
  },
  overpaid: {
    title: 'Paid, with {over} more than asked.',
    body: '{merchant} can send the difference back when you ask for it.',
    status: 'Paid, with more than asked',
  },
  'partly-open': {
    title: '{missing} is still missing.',
    body: '{sent} of {amount} arrived. Send {missing} more on {network} to the same address.',
    status: 'Waiting for the rest',
  },
  'partly-lapsed': {
    title: '{missing} was missing when time ran out.',
    body: '{sent} of {amount} arrived and is safe. Don’t send the rest now: {merchant} can count what came or send it back.',
    status: 'Partly paid when time ran out',
  },
  expired: {
    title: 'This request has expired.',
    body: 'Don’t send now; start again. If you already sent, it will still be found.',
    status: 'This request has expired',
  },
  'late-counted': {
    title: 'It arrived late, and it counts.',
    body: '{merchant} has your payment of {paid}.',
    status: 'Paid late, and it counts',
  },
  'late-held': {
    title: 'It arrived after the time was up.',
    body: '{held} is safe: {merchant} holds it for you and can count it or send it back.',
    status: 'Arrived after the time was up',
  },
  superseded: {
    title: 'There’s a newer request for you.',
    body: 'It replaced this one. Please pay there; money sent for this one will still be found.',
    status: 'Replaced by a newer request',
  },
  cancelled: {
    title: '{merchant} cancelled this request.',
    body: 'Nothing is owed. Don’t send now; if you already sent, it will still be found.',
    status: 'Cancelled',
  },
  'other-network': {
    title: 'It came in on {cameOn} instead of {network}.',
    body: '{held} is safe at an address of {merchant}, who can count it or send it back.',
    status: 'Came in on another network',
  },
  'other-asset': {
    title: 'You sent {sentAsset}; {merchant} asked for {asset}.',
    body: '{held} is safe at an address of {merchant}, who can count it or send it back.',
    status: 'Came in as another currency',
  },
  kept: {
    title: '{merchant} holds what arrived for you.',
    body: '{held} does not count for this request by itself. {merchant} can count it or send it back.',
    status: 'Held for you',
  },
  'on-hold': {
    title: '{merchant} is checking this payment.',
    body: '{held} arrived and is safe. Nothing for you to do; this page goes on by itself.',
    status: 'Being checked',
  },
  reverted: {
    title: 'The network took back a block.',
    body: 'Your payment is waiting again and usually returns by itself. Please don’t send twice.',
    status: 'Waiting for the network again',
  },
  unavailable: {
    title: 'This can’t be paid right now.',
    body: 'Nothing is wrong on your side.',
    status: 'Can’t be paid right now',
  },
}

/** Every other text of the payer's pages. */
export const TEXTS = {
  ribbon: 'Test payment: no real money',
  offline: 'You’re offline. The details below still work.',
  unreachable: 'No answer right now; this page tries again by itself. The details below still work.',
  invoice: 'Invoice {invoice}',
  options: 'Ways to pay',
  filter: 'Find a currency or network',
  option: '{currency} on {network}',
  notReady: 'Not available right now',
  minimum: 'at least {minimum}',
  estimated: 'about',
  proceed: 'Continue',
  change: 'Change',
  left: 'left',
  until: 'until {time}',
  minutesLeft: '{minutes} minutes left to pay at this price',
  minuteLeft: '1 minute left to pay at this price',
  timeUp: 'The time to pay at this price is up',
  aboutMinute: ', about 1 minute left',
  aboutMinutes: ', about {minutes} minutes left',
  toAddress: 'To this address',
  qrAddress: 'QR code for the address',
  qrLink: 'QR code with amount and address',
  address: 'Address',
  qrKind: 'What the QR code holds',
  walletLink: 'Wallet link',
  openWallet: 'Open wallet app',
  walletCheck: 'Check that your wallet shows {amount} to {merchant}’s address.',
  onlyThis: 'Only {asset} on {network}. Other networks may be slow to recover.',
  exchangeFee: 'Does your exchange take its fee out of the amount? Add it on top.',
  priced: '1 {asset} = {price}, price from {sources}',
  alreadyPaid: 'I already paid',
  alreadyPaidHelp:
    'This page finds your payment by itself, usually within a minute of your wallet sending it. Exchanges often wait 10 to 60 minutes before they send. Please don’t pay twice.',
  txHash: 'Transaction hash',
  txHashHelp: 'Your wallet or exchange shows it with the transfer, like {example}. A link to it works too.',
  txNetwork: 'Network',
  anyNetwork: 'Any network',
  find: 'Find my payment',
  finding: 'Looking…',
  notFindable: 'No answer right now. Nothing is lost; try again in a moment.',
  askedOften: 'That was often. Try again in {seconds} seconds; your payment is looked for all the time anyway.',
  paidTo: 'It went to',
  shouldHavePaid: 'This request',
  whatArrived: 'What arrived',
  check: 'Check for my payment',
  refresh: 'Refresh by itself every 30 seconds',
  stopRefresh: 'Stop refreshing by itself',
  back: 'Back to {merchant}',
  restart: 'Start again at {merchant}',
  newer: 'Open the newer request',
  payInstead: 'Pay {amount} on {network} instead',
  payAgain: 'My wallet says it failed: pay again',
  askBack: 'Ask for {over} back',
  contact: 'Contact {merchant}',
  receipt: 'Receipt',
  explorer: 'View on explorer',
  renew: 'Get a new price',
  otherWay: 'Choose another way to pay.',
  retry: 'Try again',
  copyAmount: 'Copy amount',
  copyAddress: 'Copy address',
  copy: 'Copy {what}',
  amountCopied: 'Amount Copied!',
  amountNotCopied: 'Failed to copy amount',
  addressCopied: 'Address Copied!',
  addressNotCopied: 'Failed to copy address',
  arrived: 'What arrived',
  confirmations: '{current} of {required} confirmations',
  transaction: 'Transaction',
  newTab: 'opens in a new tab',
  depositWaiting: 'Being confirmed',
  depositDepth: 'Being confirmed, {current} of {required}',
  depositSecond: 'Being compared',
  depositCounted: 'Counted',
  depositKept: 'Held for you',
  depositOnHold: 'Being checked',
  depositIgnored: 'Does not count',
  depositSmall: 'Below the minimum, does not count',
  onNetwork: 'on {network}',
  lateOnItsWay: 'It was sent after the time was up. It still counts once it is confirmed.',
  secondSource:
    'Because of its size, a second source must confirm it. That can take some minutes more; nothing for you to do.',
  tookBack:
    'The network took your payment back and it has not returned: see in your wallet whether it failed. If it returns, it will still be found.',
  mailTransaction: 'Transaction: {hash}',
  mailMissing: 'Missing: {amount}',
  mailOver: 'More than asked: {amount}',
  mailHeld: 'Arrived and not counted: {amount}',
  support: 'Support',
  reference: 'Reference',
  theme: 'Colours',
  light: 'Light',
  dark: 'Dark',
  system: 'Auto',
  mailSubject: 'Payment {reference}',
  mailAmount: 'Amount: {amount}',
  mailReference: 'Reference: {reference}',
  mailInvoice: 'Invoice: {invoice}',
  unknownTitle: 'This payment link is not known.',
  unknownBody: 'Check that you opened the whole link, or ask the shop for a new one. Nothing was charged.',
  faultTitle: 'This page could not be shown.',
  faultBody: 'Something went wrong on our side. Open the page again in a moment. What you have paid is not lost.',
  faultReference: 'Reference for the shop: {requestId}',
  receiptPaid: 'Paid. Thank you',
  receiptSeen: 'Seen. {current} of {required} confirmations',
  receiptSeenBody: 'This becomes a receipt by itself when the last confirmation is in.',
  asked: 'Asked',
  paid: 'Paid',
  seen: 'Seen',
  more: 'More than asked',
  rate: 'Rate',
  date: 'Date',
  print: 'Print',
} as const

export type Facts = Readonly<Record<string, Part>>

/** Fills a message's facts in; each is isolated, so that an amount or a name keeps its own direction. */
export function say(message: string, facts: Facts = {}): Html {
  const parts = message.split(/\{(\w+)\}/)
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : isolated(facts[part])))}`
}

/** Fills a message's facts in as plain text, for titles, attributes and mails. */
export function sayText(message: string, facts: Readonly<Record<string, string | number | undefined>> = {}): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? ''))
}

function isolated(fact: Part): Part {
  return typeof fact === 'string' && fact !== '' ? html`<bdi>${fact}</bdi>` : fact
}
