import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { chainIn, sessionAlone } from '../chain.ts'
import { NodeRejected } from '../errors.ts'
import type { NodeCall, NodeClient } from '../node/client.ts'
import { tronAddresses } from '../tron/addresses/addresses.ts'
import { TRANSFER_TOPIC } from '../tron/blocks/transfers.ts'
import { fromHex, toHex } from '../tron/encoding/hex.ts'
import { transactionId } from '@kassa/keys/tron/transaction.ts'
import { blockId } from '../tron/encoding/block-id.ts'
import { type Field, writeFields } from '@kassa/keys/tron/protobuf.ts'
import type { FakePayment, FamilyChain } from './conformance.ts'

const [NATIVE, TOKEN] = [3, 13]
const OURS = ['TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'] as const
const PAYER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const BYSTANDER = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7'

/** Milliseconds between two blocks. */
const PACE = 3_000

const START = 1_700_000_000_000

/** `approve` moves nothing: other code that runs. */
const TRANSFER_SELECTOR = 'a9059cbb'
const BALANCE_SELECTOR = '70a08231'

type FakeTransaction = FakePayment & { readonly txId: string; readonly raw: Uint8Array }
type FakeBlock = {
  readonly height: number
  readonly id: string
  readonly header: Readonly<Record<string, unknown>>
  readonly time: number
  readonly transactions: readonly FakeTransaction[]
}

/** Opens a fake chain of TRON for the conformance suite: what its node says is made by hand, without a virtual machine. */
export function openTronConformanceChain(): FamilyChain {
  const definition = findBlockchain('TRX')
  if (!definition) throw new Error('There is no TRX')
  const listed = chainIn('mainnet', definition)
  const key = (address: string) => tronAddresses.key(listed, address)
  const token = listed.assets.find(({ id }) => id === TOKEN)
  if (!token) throw new Error('There is no USDT on TRX')
  const blocks: FakeBlock[] = []
  let branch = 0
  let sent = 0

  const seal = (transactions: readonly FakeTransaction[]): void => {
    const height = blocks.length
    const time = height === 0 ? 0 : START + height * PACE
    const parentHash = blocks.at(-1)?.id ?? '0'.repeat(64)
    const version = 31 + branch
    const id = blockId({
      timestamp: BigInt(time),
      txTrieRoot: new Uint8Array(32),
      parentHash: fromHex(parentHash),
      number: BigInt(height),
      witnessId: 0n,
      witnessAddress: new Uint8Array(),
      version: BigInt(version),
      accountStateRoot: new Uint8Array(),
    })
    const header = {
      parentHash,
      version,
      txTrieRoot: '0'.repeat(64),
      ...(height > 0 && { number: height, timestamp: time }),
    }
    blocks.push({ height, id, header, time, transactions })
  }

  const transactionOf = (payment: FakePayment): FakeTransaction => {
    sent += 1
    const [from, to] = [prefixed(key(payment.from)), prefixed(key(payment.to))]
    const isCoin = payment.assetId === NATIVE
    const word = payment.units.toString(16).padStart(64, '0')
    const call = fromHex(`${TRANSFER_SELECTOR}${toHex(key(payment.to)).padStart(64, '0')}${word}`)
    const contract = isCoin
      ? contractField(1n, 'TransferContract', [bytes(1, from), bytes(2, to), number(3, payment.units)])
      : contractField(31n, 'TriggerSmartContract', [
          bytes(1, from),
          bytes(2, prefixed(key(token.address))),
          bytes(4, call),
        ])
    const raw = writeFields([
      number(8, BigInt(START + sent * PACE + 86_400_000)),
      contract,
      number(14, BigInt(START + sent)),
    ])
    return { ...payment, raw, txId: transactionId(raw) }
  }

  const printed = (one: FakeTransaction) => ({
    txID: one.txId,
    raw_data_hex: toHex(one.raw),
    ret: [{ contractRet: one.isFailing === true ? 'REVERT' : 'SUCCESS' }],
  })
  const blockAnswer = (block: FakeBlock | undefined) =>
    block
      ? {
          blockID: block.id,
          block_header: { raw_data: block.header },
          ...(block.transactions.length > 0 && { transactions: block.transactions.map(printed) }),
        }
      : {}
  const infoAnswer = (block: FakeBlock, one: FakeTransaction) => ({
    id: one.txId,
    blockNumber: block.height,
    ...(one.isFailing === true && { result: 'FAILED' }),
    receipt: one.assetId === NATIVE ? {} : { result: one.isFailing === true ? 'REVERT' : 'SUCCESS' },
    ...(one.assetId === TOKEN &&
      one.isFailing !== true && {
        log: [
          {
            address: toHex(key(token.address)),
            topics: [TRANSFER_TOPIC, ...[one.from, one.to].map((address) => toHex(key(address)).padStart(64, '0'))],
            data: one.units.toString(16).padStart(64, '0'),
          },
        ],
      }),
  })
  const placed = (txId: unknown) => {
    const block = blocks.find(({ transactions }) => transactions.some((one) => one.txId === txId))
    const one = block?.transactions.find((each) => each.txId === txId)
    return block && one ? { block, one } : null
  }
  const heldBy = (holder: string, assetId: number): bigint => {
    const moved = blocks.flatMap(({ transactions }) => transactions).filter((one) => one.isFailing !== true)
    return moved
      .filter((one) => one.assetId === assetId)
      .map(
        ({ to, from, units }) => (toHex(key(to)) === holder ? units : 0n) - (toHex(key(from)) === holder ? units : 0n),
      )
      .reduce((sum, units) => sum + units, 0n)
  }
  /** Of `balanceOf` with its address; of any other call, the decimals. */
  const resultOf = (data: unknown) =>
    typeof data === 'string' && data.startsWith(BALANCE_SELECTOR) ? heldBy(data.slice(-40), TOKEN) : token.decimals
  const answers: Readonly<Record<string, (body: Record<string, unknown>) => unknown>> = {
    getnowblock: () => blockAnswer(blocks.at(-1)),
    getblockbynum: ({ num }) => blockAnswer(blocks[Number(num)]),
    getblockbylimitnext: ({ startNum, endNum }) => ({
      block: blocks.slice(Number(startNum), Number(endNum)).map(blockAnswer),
    }),
    gettransactioninfobyblocknum: ({ num }) => {
      const block = blocks[Number(num)]
      return block ? block.transactions.map((one) => infoAnswer(block, one)) : []
    },
    gettransactionbyid: ({ value }) => {
      const found = placed(value)
      return found ? printed(found.one) : {}
    },
    gettransactioninfobyid: ({ value }) => {
      const found = placed(value)
      return found ? infoAnswer(found.block, found.one) : {}
    },
    getnodeinfo: () => ({ configNodeInfo: { codeVersion: '4.8.0' } }),
    getcontract: () => ({ bytecode: '60' }),
    getaccount: ({ address }) => ({ address, balance: heldBy(String(address).slice(2), NATIVE) }),
    triggerconstantcontract: ({ data }) => ({
      result: { result: true },
      energy_used: 1_000,
      transaction: { ret: [{}] },
      constant_result: [resultOf(data).toString(16).padStart(64, '0')],
    }),
  }
  seal([])
  const genesisHash = blocks[0]?.id ?? ''
  const node = restNode(answers)
  return {
    session: sessionAlone({ ...listed, network: { ...listed.network, genesisHash } }, node),
    elsewhere: sessionAlone(listed, node),
    ours: OURS,
    payer: PAYER,
    bystander: BYSTANDER,
    assets: { native: NATIVE, token: TOKEN },
    spellings: [OURS[0], ` ${OURS[0]} `, `41${toHex(key(OURS[0]))}`, `0x41${toHex(key(OURS[0]))}`],
    noAddresses: ['', 'T', OURS[0].slice(0, -1), OURS[0].toLowerCase(), '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    mine(payments) {
      const transactions = payments.map(transactionOf)
      seal(transactions)
      return transactions.map(({ txId }) => txId)
    },
    reorganize(depth) {
      const left = blocks.splice(-depth).flatMap(({ transactions }) => transactions)
      branch += 1
      seal(left)
    },
    height: () => blocks.length - 1,
  }
}

function contractField(type: bigint, name: string, message: readonly Field[]): Field {
  const any = writeFields([
    bytes(1, Buffer.from(`type.googleapis.com/protocol.${name}`)),
    bytes(2, writeFields(message)),
  ])
  return bytes(11, writeFields([number(1, type), bytes(2, any)]))
}

function bytes(at: number, value: Uint8Array): Field {
  return { number: at, value }
}

function number(at: number, value: bigint): Field {
  return { number: at, value }
}

function prefixed(key: Uint8Array): Uint8Array {
  return Uint8Array.of(0x41, ...key)
}

function restNode(answers: Readonly<Record<string, (body: Record<string, unknown>) => unknown>>): NodeClient {
  const call = async (one: NodeCall): Promise<unknown> => {
    const answer = one.rpc === 'rest' ? answers[one.path.split('/').at(-1) ?? ''] : undefined
    if (one.rpc !== 'rest' || !answer) throw new NodeRejected('HTTP 404', 404)
    return answer((one.body ?? {}) as Record<string, unknown>)
  }
  return { id: 1, label: 'fake', call, batch: (calls) => Promise.allSettled(calls.map(call)) }
}
