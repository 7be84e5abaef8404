import { NodeRejected } from '../errors.ts'
import type { FamilyChain, FakePayment } from './conformance.ts'
import { chainOf } from './anvil-chain.ts'
import { answer, NodeRefusal } from './fake-chain/answers.ts'
import { createFakeChain } from './fake-chain/block-tree.ts'
import { FAKES, sendCoin, sendToken, type FakeTransaction } from './fake-chain/transactions.ts'
import type { RpcCall, RpcClient } from '../node/client.ts'

const [NATIVE, TOKEN] = [1, 7]
const OURS = ['0x9858EfFD232B4033E47d90003D41EC34EcaEda94', '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0'] as const
const PAYER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const BYSTANDER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

/** Seconds between two blocks. */
const PACE = 12

/** Opens a fake chain of the EVM family for the conformance suite. */
export function openEvmConformanceChain(): FamilyChain {
  const chain = chainOf('ETH', 'sandbox')
  const fake = createFakeChain({ chainId: chain.network.chainId ?? 0, startTime: 1_700_000_000, hasFinality: false })
  const usdc = chain.assets.find(({ id }) => id === TOKEN)?.address.toLowerCase() ?? ''
  let sent = 0
  const transactionOf = ({ assetId, from, to, units, isFailing }: FakePayment): FakeTransaction => {
    sent += 1
    const payment = { name: `payment ${sent}`, from: from.toLowerCase(), to: to.toLowerCase(), units, token: usdc }
    if (assetId === NATIVE) return isFailing ? FAKES.failedCoin(payment) : sendCoin(payment)
    return isFailing ? FAKES.failedToken(payment) : sendToken(payment)
  }
  const call = async (one: RpcCall): Promise<unknown> => {
    try {
      return answer(fake.view(), one)
    } catch (error) {
      if (error instanceof NodeRefusal) throw new NodeRejected(error.message, error.code)
      throw error
    }
  }
  const node: RpcClient = { id: 1, label: 'fake', call, batch: (calls) => Promise.allSettled(calls.map(call)) }
  const session = { chain, node, signal: new AbortController().signal }
  const elsewhere = { ...session, chain: { ...chain, network: { ...chain.network, chainId: 1 } } }
  return {
    session,
    elsewhere,
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
