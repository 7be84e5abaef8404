import { createFakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import { answerSolana, SOLANA_LIES } from '@kassa/chains/testing/fake-chain/solana/answers.ts'
import { MOST_SKIPPED, sealSolana } from '@kassa/chains/testing/fake-chain/solana/blocks.ts'
import { paySolana, SOLANA_FAKES } from '@kassa/chains/testing/fake-chain/solana/transactions.ts'
import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'

import { ANY_FAULTS, failing, type Family, type Network, type Purse, type SimulatedNode } from './family.ts'
import { methodsIn, replyJsonRpc } from './responses.ts'

/** Blocks of a branch that one node alone has, and those it left. */
const LONGEST_FORK = 8

/** Chains of Solana's kind: slots that may be skipped, balances before and after, and a commitment that is read at. */
export function solanaFamily({ networks }: Blockchain, network: Network): Family {
  const { genesisHash = '' } = networks[network]
  return {
    name: 'SOL_Family',
    open: (startTime) =>
      createFakeChain({ chainId: 0, genesisHash, startTime, hasFinality: network === 'testnet', seal: sealSolana }),
    mostFirstBlocks: 20,
    purse: PURSE,
    spell: (address) => address,
    faults: FAULTS,
    sendingFaults: FAULTS,
    names: methodsIn,
    reply: (node, request) => replyJsonRpc(request, ({ method, params }) => answerOf(node, method, params)),
    strangeGenesis: networks.mainnet.genesisHash ?? '',
    // Every slot of a branch may be one that was skipped on another.
    ahead: LONGEST_FORK * (1 + MOST_SKIPPED),
    changed: failing,
  }
}

const FAULTS = [...ANY_FAULTS, 'missing blocks'] as const

const PURSE: Purse = {
  send: (_random, { name, ...leg }) => paySolana({ name, legs: [leg] }),
  batch: ({ name, ...leg }, other) => paySolana({ name, legs: [leg, { ...leg, to: other() }] }),
  through: () => null,
  fake: (random, payment) => {
    const kinds = ['failed', 'lookAlike', 'otherProgram', 'otherAccount', 'loop'] as const
    return SOLANA_FAKES[random.pick(kinds)](payment)
  },
}

function answerOf(node: SimulatedNode, method: string, params: readonly unknown[]): unknown {
  const honest = answerSolana(node.shown ?? node.chain.view(), method, params)
  const { fault } = node
  return fault !== null && fault in SOLANA_LIES
    ? SOLANA_LIES[fault as keyof typeof SOLANA_LIES](honest, method)
    : honest
}
