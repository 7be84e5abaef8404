import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import type { BlockchainCode, NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { transferProbe } from '@kassa/solidity/generated/transfer-probe.ts'
import { type Abi, encodeFunctionData, erc20Abi, type Hex, numberToHex, parseEther } from 'viem'
import type { Chain, ChainSession } from '../adapter.ts'
import { chainIn, sessionAlone } from '../chain.ts'
import { callNode, connect, jsonCall, type NodeClient } from '../node/client.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { mined } from './mined.ts'
import { deploySandboxTokens } from './sandbox-tokens.ts'

/** A payer with money and tokens on a local chain, and a probe contract that misbehaves on command. */
export type AnvilChain = {
  readonly url: string
  readonly session: ChainSession
  readonly node: NodeClient
  readonly payer: Hex
  readonly probe: Hex
  call(method: string, ...params: unknown[]): Promise<unknown>
  /** Sends a transaction from any account and returns its hash at once. */
  submit(tx: AnvilTransaction): Promise<string>
  /** Sends a transaction from any account and returns its hash when it is mined. */
  send(tx: AnvilTransaction): Promise<string>
  /** Calls a token's `transfer` and returns the transaction's hash. */
  transfer(token: Hex, to: Hex, units: bigint, from?: Hex): Promise<string>
  /** Calls a token's `transfer` and does not wait until it is mined. */
  transferSoon(token: Hex, to: Hex, units: bigint): Promise<string>
  /** Runs calls through the probe contract in one transaction. */
  probeCalls(calls: readonly ProbeCall[], value?: bigint): Promise<string>
  height(): Promise<number>
  mine(blocks?: number): Promise<void>
  stop(): Promise<void>
}

export type AnvilTransaction = {
  readonly from?: Hex
  readonly to?: Hex
  readonly value?: bigint
  readonly data?: Hex
  readonly gas?: bigint
}

export type ProbeCall = {
  readonly target: Hex
  readonly value?: bigint
  readonly data?: Hex
  readonly mayFail?: boolean
}

/** Plenty for any transaction here; a fixed limit lets failing ones be mined instead of refused by the estimate. */
const GAS = 3_000_000n

/** Names a chain of the catalogue in a network mode. */
export function chainOf(code: BlockchainCode, mode: NetworkMode): Chain {
  const blockchain = findBlockchain(code)
  if (!blockchain) throw new Error(`${code} is not in the catalogue`)
  return chainIn(mode, blockchain)
}

/** Widened: tests name its functions by text. */
const PROBE_ABI: Abi = transferProbe.abi

/** Encodes a call of the probe contract. */
export function probeData(functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: PROBE_ABI, functionName, args: [...args] })
}

/** Starts a chain of the sandbox with test tokens, a payer who owns them all, and the probe contract. */
export async function openAnvilChain(code: BlockchainCode = 'ETH'): Promise<AnvilChain> {
  const chain = chainOf(code, 'sandbox')
  const anvil = await startAnvil({ chainId: chain.network.chainId ?? 0, args: ['--auto-impersonate'] })
  try {
    return await furnish(anvil, chain)
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

async function furnish(anvil: Anvil, chain: Chain): Promise<AnvilChain> {
  const signal = new AbortController().signal
  const node = connect({ id: 1, url: anvil.url })
  const call = (method: string, ...params: unknown[]) => callNode({ node, signal }, jsonCall(method, ...params))
  const payer: Hex = '0xa11ce00000000000000000000000000000000001'
  await call('anvil_setBalance', payer, numberToHex(parseEther('1000')))
  await deploySandboxTokens(anvil.url, payer)

  const submit: AnvilChain['submit'] = async ({ from = payer, to, value = 0n, data = '0x', gas = GAS }) =>
    String(await call('eth_sendTransaction', { from, to, value: numberToHex(value), data, gas: numberToHex(gas) }))
  const send: AnvilChain['send'] = async (tx) => {
    const txId = await submit(tx)
    await mined(node, txId)
    return txId
  }
  const transferData = (to: Hex, units: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] })
  const probe = await deployProbe(node, await submit({ data: transferProbe.bytecode }))
  const probeCalls: AnvilChain['probeCalls'] = (calls, value = 0n) => {
    const full = calls.map((one) => ({ value: 0n, data: '0x' as Hex, mayFail: false, ...one }))
    return send({ to: probe, value, data: probeData('execute', [full]) })
  }
  return {
    session: sessionAlone(chain, node, signal),
    url: anvil.url,
    node,
    payer,
    probe,
    call,
    submit,
    send,
    probeCalls,
    transfer: (token, to, units, from) => send({ from, to: token, data: transferData(to, units) }),
    transferSoon: (token, to, units) => submit({ to: token, data: transferData(to, units), gas: 100_000n }),
    height: async () => Number(await call('eth_blockNumber')),
    mine: async (blocks = 1) => void (await call('anvil_mine', numberToHex(blocks))),
    stop: anvil.stop,
  }
}

async function deployProbe(node: NodeClient, txId: string): Promise<Hex> {
  const { contractAddress } = await mined(node, txId)
  if (!contractAddress) throw new Error('The probe contract was not created')
  return contractAddress
}
