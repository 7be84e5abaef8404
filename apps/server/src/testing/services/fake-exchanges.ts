import { type ReceiverAnswer, startReceiver } from '../receiver.ts'

export const EXCHANGES = ['Kraken', 'Coinbase', 'Bitstamp', 'Binance', 'CoinGecko'] as const
export type Exchange = (typeof EXCHANGES)[number]

/** The price sources of the internet on one loopback port, each in its own format. */
export type FakeExchanges = {
  /** Where each is reached, by its name. */
  readonly origins: Readonly<Record<Exchange, string>>
  /** The price of a coin by currency code; missing ones are unknown to all. Binance answers in USDT. */
  readonly prices: Map<string, string>
  /** Makes some answer something else from now on; `null` makes them honest again. */
  readonly spoil: (exchanges: readonly Exchange[], spoilt: Spoilt | null) => void
  /** What each was asked for, oldest first. */
  readonly asked: { readonly exchange: Exchange; readonly currencyCode: string }[]
  readonly close: () => Promise<void>
}

/** What a spoilt source answers: another price, another time, or no price at all. */
export type Spoilt = (question: {
  readonly currencyCode: string
  readonly price: string
  readonly now: Date
}) => ReceiverAnswer | { readonly price?: string; readonly now?: Date; readonly status?: never }

type SourceAnswer = { readonly symbol: string; readonly price: string; readonly now: Date }

const PATHS: Readonly<Record<Exchange, RegExp>> = {
  Kraken: /Ticker\?pair=(\w+)$/,
  Coinbase: /products\/([\w-]+)\/ticker$/,
  Bitstamp: /ticker\/(\w+)\/$/,
  Binance: /symbol=(\w+)&type=MINI$/,
  CoinGecko: /ids=([\w-]+)&/,
}

const BODIES: Readonly<Record<Exchange, (answer: SourceAnswer) => string>> = {
  Kraken: ({ symbol, price }) => JSON.stringify({ error: [], result: { [symbol]: { c: [price, '1'], t: [1, 2] } } }),
  Coinbase: ({ price, now }) => JSON.stringify({ trade_id: 1, price, time: now.toISOString() }),
  Bitstamp: ({ price, now }) => JSON.stringify({ last: price, timestamp: String(Math.floor(now.getTime() / 1000)) }),
  Binance: ({ symbol, price, now }) => JSON.stringify({ symbol, lastPrice: price, closeTime: now.getTime() }),
  // A number on the wire, whatever its text is.
  CoinGecko: ({ symbol, price, now }) =>
    `{${JSON.stringify(symbol)}:{"usd":${price},"last_updated_at":${Math.floor(now.getTime() / 1000)}}}`,
}

/** What sources call coins otherwise than by their code, once the dollar is taken off a symbol. */
const CODES: Readonly<Record<string, string>> = {
  XXBT: 'BTC',
  XETH: 'ETH',
  bitcoin: 'BTC',
  ethereum: 'ETH',
  tether: 'USDT',
  'usd-coin': 'USDC',
  'coinbase-wrapped-btc': 'CBBTC',
}

/** Starts them; they answer with the time of `clock`. */
export async function fakeExchanges(clock: { readonly now: Date }): Promise<FakeExchanges> {
  const receiver = await startReceiver()
  const prices = new Map<string, string>()
  const spoilt = new Map<Exchange, Spoilt>()
  const asked: { exchange: Exchange; currencyCode: string }[] = []
  receiver.answerWith((request) => {
    const exchange = EXCHANGES.find((name) => request.path.startsWith(`/${name}/`))
    const symbol = exchange && PATHS[exchange].exec(request.path)?.[1]
    if (!exchange || !symbol) return { status: 404 }
    const currencyCode = codeOf(symbol)
    asked.push({ exchange, currencyCode })
    const price = prices.get(currencyCode)
    if (price === undefined) return { status: 404, body: '{"message":"NotFound"}' }
    const other = spoilt.get(exchange)?.({ currencyCode, price, now: clock.now }) ?? {}
    if (other === 'silence' || other.status !== undefined) return other
    const answer = { symbol, price, now: clock.now, ...other }
    return { status: 200, headers: { date: answer.now.toUTCString() }, body: BODIES[exchange](answer) }
  })
  const base = new URL(receiver.url).origin
  return {
    origins: Object.fromEntries(EXCHANGES.map((name) => [name, `${base}/${name}`])) as Record<Exchange, string>,
    prices,
    spoil: (exchanges, how) => {
      for (const name of exchanges) {
        if (how) spoilt.set(name, how)
        else spoilt.delete(name)
      }
    },
    asked,
    close: receiver.close,
  }
}

function codeOf(symbol: string): string {
  const bare = symbol.replace(/-?(ZUSD|USDT|USD|usd)$/, '')
  return CODES[bare] ?? CODES[symbol] ?? bare.toUpperCase()
}
