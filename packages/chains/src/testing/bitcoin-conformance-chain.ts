import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { bitcoinAddress } from '@kassa/keys/bitcoin-accounts.ts'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { bitcoinAddresses } from '../bitcoin/addresses/addresses.ts'
import { chainIn, sessionAlone } from '../chain.ts'
import { NodeRejected } from '../errors.ts'
import type { JsonCall } from '../node/client.ts'
import { esploraClient } from './bitcoin-node/esplora.ts'
import type { FakePayment, FamilyChain } from './conformance.ts'
import {
  blockBytes,
  coinbase,
  idOf,
  rootOf,
  type SerializedTransaction,
  serialize,
  spending,
} from './fake-chain/bitcoin/bytes.ts'
import { jsonNode } from './fake-node.ts'

const NATIVE = 2

/** Every coin there can be. */
const MOST_UNITS = 2_100_000_000_000_000n

/** Seconds between two blocks. */
const PACE = 600
const START = 1_700_000_000

/** A DER signature is about as long; it is not checked here. */
const SIGNATURE = new Uint8Array(71)

type FakeBlock = {
  readonly hash: string
  readonly header: Buffer
  readonly transactions: readonly SerializedTransaction[]
}

/**
 * Opens a fake chain of Bitcoin for the conformance suite: bytes as nodes serialize them, without proof of work; read by the
 * JSON-RPC of its node, or through an Esplora.
 */
export function openBitcoinConformanceChain(through: 'json-rpc' | 'esplora' = 'json-rpc'): FamilyChain {
  const definition = findBlockchain('BTC')
  if (!definition) throw new Error('There is no BTC')
  const listed = chainIn('testnet', definition)
  const people = openPeople()
  const blocks: FakeBlock[] = []
  const funding = new Map<string, SerializedTransaction>()
  let branch = 0

  const seal = (transactions: readonly SerializedTransaction[]): void => {
    const all = [coinbase(blocks.length), ...transactions]
    const header = Buffer.alloc(80)
    header.writeInt32LE(4)
    Buffer.from(blocks.at(-1)?.hash ?? '', 'hex')
      .reverse()
      .copy(header, 4)
    rootOf(all.map(({ txId }) => txId)).copy(header, 36)
    header.writeUInt32LE(START + blocks.length * PACE, 68)
    header.writeUInt32LE(branch, 76)
    blocks.push({ hash: idOf(header), header, transactions: all })
  }
  const transactionOf = ({ from, to, units }: FakePayment): SerializedTransaction => {
    // What it spends lies in a transaction of its own, which a node with an index finds.
    const script = bitcoinAddresses.key(listed, from)
    const made = serialize({
      inputs: [spending(new Uint8Array(32).fill(funding.size + 1))],
      outputs: [{ amount: units, script }],
      witnesses: [[SIGNATURE, SIGNATURE]],
    })
    funding.set(made.txId, made)
    return serialize({
      inputs: [spending(Buffer.from(made.txId, 'hex'))],
      outputs: [{ amount: units, script: bitcoinAddresses.key(listed, to) }],
      witnesses: [[SIGNATURE, keyOf(people, from)]],
    })
  }
  seal([])

  const known = (hash: unknown) => blocks.find((one) => one.hash === hash) ?? refuse(-5, 'Block not here')
  const answers: Readonly<Record<string, (...params: unknown[]) => unknown>> = {
    getblockhash: (height) => blocks[Number(height)]?.hash ?? refuse(-8, 'Block height out of range'),
    getbestblockhash: () => blocks.at(-1)?.hash,
    getblockheader: (hash, isVerbose) =>
      isVerbose ? { hash, height: blocks.indexOf(known(hash)) } : known(hash).header.toString('hex'),
    getblock: (hash) => {
      const { header, transactions } = known(hash)
      const raw = transactions.map((one) => one.raw)
      return blockBytes(header, raw).toString('hex')
    },
    getrawtransaction: (txId, isVerbose) => {
      const block = blocks.find(({ transactions }) => transactions.some((one) => one.txId === txId))
      const mined = block?.transactions.find((one) => one.txId === txId) ?? funding.get(String(txId))
      const hex = Buffer.from((mined ?? refuse(-5, 'No such mempool transaction')).raw).toString('hex')
      return isVerbose ? { hex, blockhash: block?.hash, confirmations: block ? 1 : 0 } : hex
    },
    getrawmempool: () => [],
    getnetworkinfo: () => ({ subversion: '/Satoshi:28.0.0/' }),
    getindexinfo: () => ({ txindex: { synced: true } }),
  }
  const answer = (method: string, params: readonly unknown[]) =>
    (answers[method] ?? refuse(-32601, 'Method not found'))(...params)
  const node =
    through === 'esplora'
      ? esploraClient(async (method, ...params) => answer(method, params))
      : jsonNode(({ method, params }: JsonCall) => answer(method, params))
  const [first, second] = people.ours
  return {
    session: sessionAlone({ ...listed, network: { ...listed.network, genesisHash: blocks[0]?.hash ?? '' } }, node),
    elsewhere: sessionAlone(listed, node),
    ours: [first, second],
    payer: people.payer,
    bystander: people.bystander,
    assets: { native: NATIVE },
    mostUnits: MOST_UNITS,
    cannotFail: true,
    spellings: [first, ` ${first} `, first.toUpperCase()],
    noAddresses: [
      '',
      'bc1',
      first.slice(0, -1),
      `${first.slice(0, -1)}q`,
      first.toUpperCase(),
      first.replace('tb1', 'bc1'),
    ],
    mine(payments) {
      const transactions = payments.map(transactionOf)
      seal(transactions)
      return transactions.map(({ txId }) => txId)
    },
    reorganize(depth) {
      const left = blocks.splice(-depth).flatMap(({ transactions }) => transactions.slice(1))
      branch += 1
      seal(left)
    },
    height: () => blocks.length - 1,
  }
}

/** Ours, and others of the same wallet: the reader gets only our addresses. */
function openPeople() {
  const account = HDKey.fromMasterSeed(mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)).derive("m/84'/0'/0'/0")
  const keys = new Map<string, Uint8Array>()
  const person = (index: number) => {
    const { publicKey } = account.deriveChild(index)
    if (!publicKey) throw new Error('The key has no public part')
    const address = bitcoinAddress('testnet', 'p2wpkh', publicKey)
    keys.set(address, publicKey)
    return address
  }
  return { ours: [person(0), person(1)] as const, payer: person(10), bystander: person(11), keys }
}

function keyOf({ keys }: ReturnType<typeof openPeople>, address: string): Uint8Array {
  return keys.get(address) ?? new Uint8Array(33)
}

function refuse(code: number, message: string): never {
  throw new NodeRejected(message, code)
}
