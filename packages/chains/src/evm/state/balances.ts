import type { BalanceAsk, BalanceFact, BlockRef, ChainAsset, ChainSession } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callAll, type RpcCall } from '../../node/client.ts'
import { TRANSFER_TOPIC } from '../blocks/transfers.ts'
import { hexBytes, list, quantity, readBlockRef, readPlacedLog } from '../encoding/wire.ts'

/** First four bytes of keccak256("balanceOf(address)"). */
const BALANCE_OF = '0x70a08231'

/** One word: `0x` and 32 bytes. */
const WORD = /^0x[0-9a-f]{64}$/

/** Reads balances at one block, all in one batch (`eth_getBalance`, `eth_call` of `balanceOf`); see `ChainReader.balances`. */
export async function readBalances(
  ctx: ChainSession,
  asks: readonly BalanceAsk[],
  at?: BlockRef,
): Promise<BalanceFact[]> {
  const block = at ?? (await newestBlock(ctx))
  const assets = asks.map(({ assetId }) => assetOf(ctx, assetId))
  const answers = await callAll(
    ctx.node,
    asks.map((ask, index) => balanceCall(assets[index], ask.address, block)),
    ctx.signal,
  )
  return asks.map((ask, index) => {
    const isNative = assets[index]?.standard === 'native'
    return { ...ask, units: isNative ? quantity(answers[index], 'balance') : readWord(answers[index]), block }
  })
}

/** Compares two balances and the logs of what left in between, all in one batch; see `ChainReader.receivedUnits`. */
export async function readReceivedUnits(ctx: ChainSession, ask: BalanceAsk, block: BlockRef): Promise<bigint> {
  const asset = assetOf(ctx, ask.assetId)
  if (asset.standard === 'native') throw new RangeError('A native balance also pays fees: its rise proves nothing')
  const [before, after, logs] = await callAll(
    ctx.node,
    [
      balanceCall(asset, ask.address, { hash: block.parentHash }),
      balanceCall(asset, ask.address, block),
      outgoingLogs(asset, ask.address, block),
    ],
    ctx.signal,
  )
  const left = list(logs, 'logs').map((log) => BigInt(readPlacedLog(log).data))
  return readWord(after) - readWord(before) + left.reduce((total, units) => total + units, 0n)
}

function outgoingLogs({ address }: ChainAsset, from: string, block: BlockRef): RpcCall {
  const filter = { blockHash: block.hash, address, topics: [TRANSFER_TOPIC, addressWord(from)] }
  return { method: 'eth_getLogs', params: [filter] }
}

async function newestBlock(ctx: ChainSession): Promise<BlockRef> {
  const block = readBlockRef(
    await ctx.node.call({ method: 'eth_getBlockByNumber', params: ['latest', false] }, ctx.signal),
  )
  if (block) return block
  throw new RetryableRpcError('malformed', 'The node has no newest block')
}

function assetOf(ctx: ChainSession, assetId: number): ChainAsset {
  const asset = ctx.chain.assets.find(({ id }) => id === assetId)
  if (!asset) throw new RangeError(`Asset ${assetId} is not on ${ctx.chain.blockchain.code}`)
  return asset
}

/** The block is named by hash and must be canonical (EIP-1898), so that a reorganisation cannot mix two states. */
function balanceCall(asset: ChainAsset | undefined, address: string, block: Pick<BlockRef, 'hash'>): RpcCall {
  const where = { blockHash: block.hash, requireCanonical: true }
  if (asset?.standard === 'native') return { method: 'eth_getBalance', params: [address, where] }
  const data = BALANCE_OF + addressWord(address).slice(2)
  return { method: 'eth_call', params: [{ to: asset?.address, data }, where] }
}

/** An address as one ABI word. */
function addressWord(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}

function readWord(answer: unknown): bigint {
  const word = hexBytes(answer, 'balance')
  if (!WORD.test(word)) throw new RetryableRpcError('malformed', 'balanceOf did not return one word')
  return BigInt(word)
}
