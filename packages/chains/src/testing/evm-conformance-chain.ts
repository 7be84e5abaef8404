import { NodeRejected } from '../errors.ts'
import type { FamilyChain, FakePayment } from './conformance.ts'
import { chainOf } from './anvil-chain.ts'
import { answer, NodeRefusal } from './fake-chain/answers.ts'
import { createFakeChain } from './fake-chain/block-tree.ts'
import {
  FAKES,
  sendCoin,
  sendThroughContract,
  sendToken,
  type FakeTransaction,
  word,
} from './fake-chain/transactions.ts'
import type { JsonCall } from '../node/client.ts'
import { toQuantity } from '../evm/encoding/hex.ts'
import { sessionAlone } from '../chain.ts'
import { jsonNode } from './fake-node.ts'

const [NATIVE, TOKEN] = [1, 7]
const OURS = ['0x9858EfFD232B4033E47d90003D41EC34EcaEda94', '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0'] as const
const PAYER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const BYSTANDER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

/** Seconds between two blocks. */
const PACE = 12

/** First four bytes of keccak256("decimals()") (ERC-20). */
const DECIMALS = '0x313ce567'

/** Opens a fake chain of the EVM family for the conformance suite. */
export function openEvmConformanceChain(): FamilyChain {
  const chain = chainOf('ETH', 'sandbox')
  const fake = createFakeChain({ chainId: chain.network.chainId ?? 0, startTime: 1_700_000_000, hasFinality: false })
  const { address = '', decimals = 0 } = chain.assets.find(({ id }) => id === TOKEN) ?? {}
  const usdc = address.toLowerCase()
  let sent = 0
  const transactionOf = ({ assetId, from, to, units, isFailing, isForwarded }: FakePayment): FakeTransaction => {
    sent += 1
    const payment = { name: `payment ${sent}`, from: from.toLowerCase(), to: to.toLowerCase(), units, token: usdc }
    if (isForwarded) return sendThroughContract(payment)
    if (assetId === NATIVE) return isFailing ? FAKES.failedCoin(payment) : sendCoin(payment)
    return isFailing ? FAKES.failedToken(payment) : sendToken(payment)
  }
  const answerCall = (one: JsonCall): unknown => {
    if (one.method === 'eth_getCode') return one.params[0] === address ? '0x60' : '0x'
    const isDecimals = one.method === 'eth_call' && (one.params[0] as { data: string }).data === DECIMALS
    if (isDecimals) return word(toQuantity(decimals))
    try {
      return answer(fake.view(), one)
    } catch (error) {
      if (error instanceof NodeRefusal) throw new NodeRejected(error.message, error.code)
      throw error
    }
  }
  const session = sessionAlone(chain, jsonNode(answerCall))
  const untraced = sessionAlone(
    chain,
    jsonNode((one) => {
      if (one.method.startsWith('debug_')) throw new NodeRejected(`the method ${one.method} does not exist`, -32601)
      return answerCall(one)
    }),
  )
  const elsewhere = { ...session, chain: { ...chain, network: { ...chain.network, chainId: 1 } } }
  return {
    session,
    elsewhere,
    untraced,
    ours: OURS,
    payer: PAYER,
    bystander: BYSTANDER,
    assets: { native: NATIVE, token: TOKEN },
    spellings: [OURS[0], OURS[0].toLowerCase(), `0x${OURS[0].slice(2).toUpperCase()}`, ` ${OURS[0]} `],
    noAddresses: ['', '0x', OURS[0].slice(0, -1), OURS[0].toLowerCase(), 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'],
    mine(payments) {
      const transactions = payments.map(transactionOf)
      fake.mine(fake.head().time + PACE, transactions)
      return transactions.map(({ hash }) => hash)
    },
    reorganize(depth) {
      const { time } = fake.head()
      const left = fake.leave(depth).flatMap(({ transactions }) => transactions)
      fake.mine(time + PACE, left)
    },
    height: () => fake.head().height,
  }
}
