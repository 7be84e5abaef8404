import { TRANSFER_TOPIC } from '../../evm/blocks/transfers.ts'
import { keccakText, toHex } from '../../evm/encoding/hex.ts'
import type { ForgedTx, Owed } from './forged.ts'
import { callFrame, noiseLog, transferLog, word, type World } from './world.ts'

/** Forges one transaction of a class; what it owes is what it truly brings. */
export type Forger = (world: World) => ForgedTx

const topicOf = (text: string) => toHex(keccakText(text))
const APPROVAL = topicOf('Approval(address,address,uint256)')
const REBASE = topicOf('Rebase(uint256,uint256)')
const SENT = topicOf('Sent(address,address,address,uint256,bytes,bytes)')
const MINTED = topicOf('Minted(address,address,uint256,bytes,bytes)')

/** Bridged and wrapped coins that wallets show under the same name. */
const NEAR_MONEY = [
  // USDC.e and bridged WETH on POLYGON
  '0x2791bca1f2de4661ed88a30c99a7a9449aa84174',
  '0x7ceb23fd6bc0add59e62ac25578270cff1b9f619',
  // USDbC on BASE, wrapped ether on OP-stack chains
  '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca',
  '0x4200000000000000000000000000000000000006',
  // WETH, aUSDC and WBTC on ETH
  '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  '0x98c23e9d8f34fefb1b7bd6a91b7ff122f4e16f5c',
  '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
] as const

/** Fakes by what contracts write, or do not write. */
export const tokenFakes = {
  E1: (world) => {
    const { random, ours, tokens } = world
    const token = random.pick(tokens).address
    const approval = {
      address: token,
      topics: [APPROVAL, word(random.hex(20)), word(random.pick(ours))],
      data: word(random.units()),
    }
    return { to: token, logs: random.chance(0.5) ? [approval] : [], extra: { input: random.hex(68) } }
  },
  E4: ({ random, ours, tokens }) => {
    const lookAlike = oneDigitOff(random, random.pick(tokens).address)
    return { to: lookAlike, logs: [transferLog(lookAlike, random.hex(20), random.pick(ours), random.units())] }
  },
  E5: ({ random, ours, tokens }) => {
    const log = transferLog(
      random.hex(20),
      random.pick([random.hex(20), random.pick(tokens).address]),
      random.pick(ours),
      random.units(),
    )
    return { to: random.pick([log.address, random.pick(tokens).address]), logs: [log] }
  },
  E6: ({ random, ours, tokens }) => {
    const log = transferLog(random.pick(tokens).address, random.hex(20), random.pick(ours), random.units())
    const four = [...log.topics, word(random.units())]
    return { logs: [{ ...log, topics: four, data: random.pick(['0x', log.data]) }] }
  },
  E7: ({ random, ours, tokens }) => {
    const to = random.pick(ours)
    const vanity = `${to.slice(0, 6)}${random.hex(16).slice(2)}${to.slice(-4)}`.slice(0, 42)
    const nothing = transferLog(random.pick(tokens).address, vanity, to, 0n)
    return { from: vanity, to, value: 0n, logs: [nothing], calls: [callFrame(vanity, to, 0n)] }
  },
  E8: ({ random, ours, tokens, nativeId }) => {
    const [from, to] = [random.pick(ours), random.pick(ours)]
    const stranger = random.hex(20)
    const [moved, truth] = [random.units(), random.units()]
    const owed: Owed[] = [{ assetId: nativeId, to, units: truth, leg: `internal:${to}:1` }]
    const logs = [transferLog(random.pick(tokens).address, from, to, moved)]
    return { from, to, value: moved, logs, calls: [callFrame(from, to, moved), callFrame(stranger, to, truth)], owed }
  },
  E10: ({ random, tokens }) => {
    const token = random.pick(tokens).address
    const rebase = { address: token, topics: [REBASE, word(random.units())], data: word(random.units()) }
    return { to: token, logs: random.chance(0.5) ? [rebase] : [] }
  },
  E11: ({ random, ours }) => {
    const spam = random.hex(20)
    return { to: spam, logs: ours.map((to) => transferLog(spam, spam, to, random.units())) }
  },
  E13: (world) => malformedLog(world),
  E14: ({ random, ours, tokens }) => {
    const [mine, stranger] = [random.pick(ours), random.hex(20)]
    const log = transferLog(random.pick(tokens).address, mine, stranger, random.units())
    const [signature = '', from = '', to = ''] = log.topics
    const turned = random.pick([
      [signature, from, to],
      [to, from, signature],
      [from, to, signature],
      [to, signature, from],
    ])
    return { logs: [{ ...log, topics: turned }] }
  },
  E31: (world) => manyLegs(world),
  E32: ({ random, ours, tokens }) => {
    const [to, from, units, token] = [random.pick(ours), random.hex(20), random.units(), random.pick(tokens)]
    const people = [word(random.hex(20)), word(from), word(to)]
    const logs = [
      { address: token.address, topics: [SENT, ...people], data: word(units) + word(64n).slice(2) },
      { address: token.address, topics: [MINTED, word(from), word(to)], data: word(units) },
      transferLog(token.address, from, to, units),
    ]
    return { logs, owed: [{ assetId: token.assetId, to, units, leg: 'log:2' }] }
  },
  E33: ({ random, ours }) => {
    const fake = random.hex(20)
    return { to: fake, logs: [transferLog(fake, random.hex(20), random.pick(ours), random.units() * 10n ** 12n)] }
  },
  E34: ({ random, ours }) => {
    const token = random.pick(NEAR_MONEY)
    const deposit = {
      address: token,
      topics: [topicOf('Deposit(address,uint256)'), word(random.pick(ours))],
      data: word(random.units()),
    }
    return { to: token, logs: [transferLog(token, random.hex(20), random.pick(ours), random.units()), deposit] }
  },
} satisfies Record<string, Forger>

/** Data of another length, addresses with dirty upper bytes, missing topics; and the largest amount there is, which is true. */
function malformedLog({ random, ours, tokens }: World): ForgedTx {
  const [to, token] = [random.pick(ours), random.pick(tokens)]
  const log = transferLog(token.address, random.hex(20), to, random.units())
  const [signature = '', from = '', receiver = ''] = log.topics
  const dirty = (topic: string) => {
    const at = 2 + random.below(24)
    return `${topic.slice(0, at)}${random.pick(['1', '8', 'f'])}${topic.slice(at + 1)}`
  }
  const most = 2n ** 256n - 1n
  const largest: ForgedTx = {
    logs: [{ ...log, data: word(most) }],
    owed: [{ assetId: token.assetId, to, units: most, leg: 'log:0' }],
  }
  const lengths = [0, 1, 20, 31, 33, 63, 64, 96] as const
  return random.pick<ForgedTx>([
    { logs: [{ ...log, data: random.hex(random.pick(lengths)) }] },
    { logs: [{ ...log, data: `0x${'00'.repeat(31)}05${'00'.repeat(32)}` }] },
    { logs: [{ ...log, topics: [signature, dirty(from), receiver] }] },
    { logs: [{ ...log, topics: [signature, from, dirty(receiver)] }] },
    { logs: [{ ...log, topics: [signature, receiver] }] },
    { logs: [{ ...log, topics: [signature] }] },
    { logs: [{ ...log, topics: [] }] },
    { logs: [{ ...log, topics: [signature], data: from + receiver.slice(2) + log.data.slice(2) }] },
    { logs: [{ ...log, topics: [TRANSFER_TOPIC.replace('dd', 'de'), from, receiver] }] },
    largest,
  ])
}

/** An exchange pays many at once: each leg is true, among others that are not ours. */
function manyLegs(world: World): ForgedTx {
  const { random, ours, tokens } = world
  const owed: Owed[] = []
  const logs = Array.from({ length: 2 + random.below(8) }, (_, at) => {
    if (random.chance(0.3)) return noiseLog(world)
    const token = random.pick(tokens)
    const to = random.chance(0.7) ? random.pick(ours) : random.hex(20)
    const units = random.units()
    if (ours.includes(to)) owed.push({ assetId: token.assetId, to, units, leg: `log:${at}` })
    return transferLog(token.address, random.hex(20), to, units)
  })
  return { logs, owed }
}

function oneDigitOff({ below }: World['random'], address: string): string {
  const at = 2 + below(40)
  const digit = Number.parseInt(address[at] ?? '0', 16)
  return `${address.slice(0, at)}${((digit + 1 + below(15)) % 16).toString(16)}${address.slice(at + 1)}`
}
