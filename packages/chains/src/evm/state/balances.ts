import type { BalanceAsk, BalanceFact, BlockRef, Chain, ChainAsset, ChainSession, Transfer } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { balanceLeg } from '../blocks/legs.ts'
import { callNode, callAll, jsonCall, type NodeCall } from '../../node/client.ts'
import { TRANSFER_TOPIC } from '../blocks/transfers.ts'
import { hexBytes, list, quantity, readBlockRef, readPlacedLog } from '../encoding/wire.ts'

/** First four bytes of keccak256("balanceOf(address)"). */
const BALANCE_OF = '0x70a08231'

/** One word: `0x` and 32 bytes. */
const WORD = /^0x[0-9a-f]{64}$/

/** Reads balances at one block, all in one batch (`eth_getBalance`, `eth_call` of `balanceOf`); see `BalanceReader`. */
export async function readBalances(
  session: ChainSession,
  asks: readonly BalanceAsk[],
  at?: BlockRef,
): Promise<BalanceFact[]> {
  const block = at ?? (await newestBlock(session))
  const assets = asks.map(({ assetId }) => assetOf(session, assetId))
  const answers = await callAll(
    session,
    asks.map((ask, index) => balanceCall(assets[index], ask.address, block)),
  )
  return asks.map((one, index) => ({ ...one, units: readBalance(assets[index], answers[index]), block }))
}

/** Reads a balance at a block and at its parent, in one batch; see `BalanceReader`. */
export async function readRise(session: ChainSession, one: BalanceAsk, block: BlockRef): Promise<bigint> {
  const asset = assetOf(session, one.assetId)
  const blocks = [block, { hash: block.parentHash }]
  const calls = blocks.map((at) => balanceCall(asset, one.address, at))
  const [after, before] = await callAll(session, calls)
  return readBalance(asset, after) - readBalance(asset, before)
}

/** Names a rise by the address and the height, because no transaction is known; see `BalanceReader`. */
export function transferOfRise(_chain: Chain, { assetId, address: to, units, block }: BalanceFact): Transfer {
  return {
    kind: 'native',
    assetId,
    senders: [],
    to,
    units,
    // The address keeps two finds at the same block apart.
    txId: toHex(fromHex(to)),
    leg: balanceLeg(block.height),
    block,
    evidence: 'balance',
  }
}

/** Compares two balances and the logs of what left in between, all in one batch; see `ReceivedReader`. */
export async function readReceivedUnits(session: ChainSession, ask: BalanceAsk, block: BlockRef): Promise<bigint> {
  const asset = assetOf(session, ask.assetId)
  if (asset.standard === 'native') throw new RangeError('A native balance also pays fees: its rise proves nothing')
  const [before, after, logs] = await callAll(session, [
    balanceCall(asset, ask.address, { hash: block.parentHash }),
    balanceCall(asset, ask.address, block),
    outgoingLogs(asset, ask.address, block),
  ])
  const left = list(logs, 'logs').map((log) => BigInt(readPlacedLog(log).data))
  return readWord(after) - readWord(before) + left.reduce((total, units) => total + units, 0n)
}

function outgoingLogs({ address }: ChainAsset, from: string, block: BlockRef): NodeCall {
  const filter = { blockHash: block.hash, address, topics: [TRANSFER_TOPIC, addressWord(from)] }
  return jsonCall('eth_getLogs', filter)
}

async function newestBlock(session: ChainSession): Promise<BlockRef> {
  const block = readBlockRef(await callNode(session, jsonCall('eth_getBlockByNumber', 'latest', false)))
  if (block) return block
  throw new RetryableRpcError('malformed', 'The node has no newest block')
}

function assetOf(session: ChainSession, assetId: number): ChainAsset {
  const asset = session.chain.assets.find(({ id }) => id === assetId)
  if (!asset) throw new RangeError(`Asset ${assetId} is not on ${session.chain.blockchain.code}`)
  return asset
}

/** The block is named by hash and must be canonical (EIP-1898), so that a reorganisation cannot mix two states. */
function balanceCall(asset: ChainAsset | undefined, address: string, block: Pick<BlockRef, 'hash'>): NodeCall {
  const where = { blockHash: block.hash, requireCanonical: true }
  if (asset?.standard === 'native') return jsonCall('eth_getBalance', address, where)
  const data = BALANCE_OF + addressWord(address).slice(2)
  return jsonCall('eth_call', { to: asset?.address, data }, where)
}

/** An address as one ABI word. */
function addressWord(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}

function readBalance(asset: ChainAsset | undefined, answer: unknown): bigint {
  return asset?.standard === 'native' ? quantity(answer, 'balance') : readWord(answer)
}

function readWord(answer: unknown): bigint {
  const word = hexBytes(answer, 'balance')
  if (!WORD.test(word)) throw new RetryableRpcError('malformed', 'balanceOf did not return one word')
  return BigInt(word)
}
