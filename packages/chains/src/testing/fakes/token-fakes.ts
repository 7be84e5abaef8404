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
    const { dice, ours, tokens } = world
    const token = dice.pick(tokens).address
    const approval = {
      address: token,
      topics: [APPROVAL, word(dice.hex(20)), word(dice.pick(ours))],
      data: word(dice.units()),
    }
    return { to: token, logs: dice.chance(0.5) ? [approval] : [], extra: { input: dice.hex(68) } }
  },
  E4: ({ dice, ours, tokens }) => {
    const lookAlike = oneDigitOff(dice, dice.pick(tokens).address)
    return { to: lookAlike, logs: [transferLog(lookAlike, dice.hex(20), dice.pick(ours), dice.units())] }
  },
  E5: ({ dice, ours, tokens }) => {
    const log = transferLog(
      dice.hex(20),
      dice.pick([dice.hex(20), dice.pick(tokens).address]),
      dice.pick(ours),
      dice.units(),
    )
    return { to: dice.pick([log.address, dice.pick(tokens).address]), logs: [log] }
  },
  E6: ({ dice, ours, tokens }) => {
    const log = transferLog(dice.pick(tokens).address, dice.hex(20), dice.pick(ours), dice.units())
    const four = [...log.topics, word(dice.units())]
    return { logs: [{ ...log, topics: four, data: dice.pick(['0x', log.data]) }] }
  },
  E7: ({ dice, ours, tokens }) => {
    const to = dice.pick(ours)
    const vanity = `${to.slice(0, 6)}${dice.hex(16).slice(2)}${to.slice(-4)}`.slice(0, 42)
    const nothing = transferLog(dice.pick(tokens).address, vanity, to, 0n)
    return { from: vanity, to, value: 0n, logs: [nothing], calls: [callFrame(vanity, to, 0n)] }
  },
  E8: ({ dice, ours, tokens, nativeId }) => {
    const [from, to] = [dice.pick(ours), dice.pick(ours)]
    const stranger = dice.hex(20)
    const [moved, truth] = [dice.units(), dice.units()]
    const owed: Owed[] = [{ assetId: nativeId, to, units: truth, leg: `internal:${to}:1` }]
    const logs = [transferLog(dice.pick(tokens).address, from, to, moved)]
    return { from, to, value: moved, logs, calls: [callFrame(from, to, moved), callFrame(stranger, to, truth)], owed }
  },
  E10: ({ dice, tokens }) => {
    const token = dice.pick(tokens).address
    const rebase = { address: token, topics: [REBASE, word(dice.units())], data: word(dice.units()) }
    return { to: token, logs: dice.chance(0.5) ? [rebase] : [] }
  },
  E11: ({ dice, ours }) => {
    const spam = dice.hex(20)
    return { to: spam, logs: ours.map((to) => transferLog(spam, spam, to, dice.units())) }
  },
  E13: (world) => oddLog(world),
  E14: ({ dice, ours, tokens }) => {
    const [mine, stranger] = [dice.pick(ours), dice.hex(20)]
    const log = transferLog(dice.pick(tokens).address, mine, stranger, dice.units())
    const [signature = '', from = '', to = ''] = log.topics
    const turned = dice.pick([
      [signature, from, to],
      [to, from, signature],
      [from, to, signature],
      [to, signature, from],
    ])
    return { logs: [{ ...log, topics: turned }] }
  },
  E31: (world) => manyLegs(world),
  E32: ({ dice, ours, tokens }) => {
    const [to, from, units, token] = [dice.pick(ours), dice.hex(20), dice.units(), dice.pick(tokens)]
    const people = [word(dice.hex(20)), word(from), word(to)]
    const logs = [
      { address: token.address, topics: [SENT, ...people], data: word(units) + word(64n).slice(2) },
      { address: token.address, topics: [MINTED, word(from), word(to)], data: word(units) },
      transferLog(token.address, from, to, units),
    ]
    return { logs, owed: [{ assetId: token.assetId, to, units, leg: 'log:2' }] }
  },
  E33: ({ dice, ours }) => {
    const fake = dice.hex(20)
    return { to: fake, logs: [transferLog(fake, dice.hex(20), dice.pick(ours), dice.units() * 10n ** 12n)] }
  },
  E34: ({ dice, ours }) => {
    const token = dice.pick(NEAR_MONEY)
    const deposit = {
      address: token,
      topics: [topicOf('Deposit(address,uint256)'), word(dice.pick(ours))],
      data: word(dice.units()),
    }
    return { to: token, logs: [transferLog(token, dice.hex(20), dice.pick(ours), dice.units()), deposit] }
  },
} satisfies Record<string, Forger>

/** Data of another length, addresses with dirty upper bytes, missing topics; and the largest amount there is, which is true. */
function oddLog({ dice, ours, tokens }: World): ForgedTx {
  const [to, token] = [dice.pick(ours), dice.pick(tokens)]
  const log = transferLog(token.address, dice.hex(20), to, dice.units())
  const [signature = '', from = '', receiver = ''] = log.topics
  const dirty = (topic: string) => {
    const at = 2 + dice.below(24)
    return `${topic.slice(0, at)}${dice.pick(['1', '8', 'f'])}${topic.slice(at + 1)}`
  }
  const most = 2n ** 256n - 1n
  const largest: ForgedTx = {
    logs: [{ ...log, data: word(most) }],
    owed: [{ assetId: token.assetId, to, units: most, leg: 'log:0' }],
  }
  const lengths = [0, 1, 20, 31, 33, 63, 64, 96] as const
  return dice.pick<ForgedTx>([
    { logs: [{ ...log, data: dice.hex(dice.pick(lengths)) }] },
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
  const { dice, ours, tokens } = world
  const owed: Owed[] = []
  const logs = Array.from({ length: 2 + dice.below(8) }, (_, at) => {
    if (dice.chance(0.3)) return noiseLog(world)
    const token = dice.pick(tokens)
    const to = dice.chance(0.7) ? dice.pick(ours) : dice.hex(20)
    const units = dice.units()
    if (ours.includes(to)) owed.push({ assetId: token.assetId, to, units, leg: `log:${at}` })
    return transferLog(token.address, dice.hex(20), to, units)
  })
  return { logs, owed }
}

function oneDigitOff({ below }: World['dice'], address: string): string {
  const at = 2 + below(40)
  const digit = Number.parseInt(address[at] ?? '0', 16)
  return `${address.slice(0, at)}${((digit + 1 + below(15)) % 16).toString(16)}${address.slice(at + 1)}`
}
