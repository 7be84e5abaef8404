/** One way to make a payment look like money that it is not. */
export type FakeClass = {
  readonly id: string
  readonly says: string
  /** The test that is named after it. */
  readonly test: string
}

/** Forges every class that is a transaction of an EVM network. */
export const CORPUS = 'packages/chains/src/testing/fakes/corpus.test.ts'
/** The same for the other families. */
export const TRON_CORPUS = 'packages/chains/src/testing/fakes/tron/corpus.test.ts'
export const BITCOIN_CORPUS = 'packages/chains/src/testing/fakes/bitcoin/corpus.test.ts'
export const SOLANA_CORPUS = 'packages/chains/src/testing/fakes/solana/corpus.test.ts'
const TRON_NODE = 'packages/chains/src/testing/tron-node/tron-node.test.ts'
const NODES = 'packages/chains/src/testing/fakes/lying-nodes.test.ts'
const BALANCES = 'packages/chains/src/testing/fakes/balances.test.ts'
const SERVER = 'apps/server/src/modules/watch/fakes.db.test.ts'
const RECEIVE = 'apps/server/src/modules/payments/crediting/receive-transfers.db.test.ts'
const MOVEMENTS = 'apps/server/src/modules/watch/movements.db.test.ts'
const WATCH = 'apps/server/src/modules/watch/watch.db.test.ts'

/** Every class of fake deposit, by family and of any family, with the test that shows it refused. */
export const FAKE_CLASSES: readonly FakeClass[] = [
  fake('E1', CORPUS, 'The transaction succeeds, the token’s transfer returned false and wrote no log.'),
  fake('E2', CORPUS, 'The transaction failed; its value and input look right.'),
  fake('E3', CORPUS, 'An inner call with value was undone while the transaction succeeded.'),
  fake('E4', CORPUS, 'A look-alike token with the same name, symbol and decimals.'),
  fake('E5', CORPUS, 'A stranger’s contract writes a Transfer log that names us.'),
  fake('E6', CORPUS, 'A Transfer of ERC-721, with four topics.'),
  fake('E7', CORPUS, 'Transfers of nothing, from an address that resembles ours.'),
  fake('E8', CORPUS, 'Money that moves between two addresses of ours.'),
  fake('E9', BALANCES, 'A token takes a fee: its log says more than arrived.'),
  fake('E10', CORPUS, 'A rebase changes the balance without a transfer.'),
  fake('E11', CORPUS, 'Spam tokens are dropped on all addresses at once.'),
  fake('E12', SERVER, 'A token’s proxy was upgraded to other decimals.'),
  fake(
    'E13',
    CORPUS,
    'Data of another length, dirty address topics, missing topics; and the largest amount, which is true.',
  ),
  fake('E14', CORPUS, 'Topics swapped: it is we who pay.'),
  fake('E15', CORPUS, 'Delegated calls repeat the value of their parent.'),
  fake('E16', CORPUS, 'The trace repeats the transaction’s own value as its root.'),
  fake('E17', CORPUS, 'A contract is destroyed in our favour; real, and sometimes undone.'),
  fake('E18', NODES, 'The receipt’s block is not on the canonical branch.'),
  fake('E19', NODES, 'The same transaction is mined again with other log positions or amounts.'),
  fake('E20', NODES, 'A node invents a log.'),
  fake('E21', NODES, 'A node leaves out a log, or gives fewer receipts than transactions.'),
  fake('E22', NODES, 'A node serves another chain, an old head, or two forks by turns.'),
  fake('E23', NODES, 'A pending transaction is replaced by another of the same nonce.'),
  fake(
    'E24',
    BALANCES,
    'A block reward, a tip or a withdrawal of a validator raises the balance without a transaction.',
  ),
  fake('E25', CORPUS, 'The chain’s own log of a native transfer, counted beside its value.'),
  fake('E26', CORPUS, 'A log from the system’s address on a chain that writes none.'),
  fake('E27', CORPUS, 'POLYGON’s coin contract writes transfer logs of its own.'),
  fake('E28', NODES, 'A mint from Ethereum on POLYGON that the node’s log index does not know.'),
  fake('E29', CORPUS, 'A deposit transaction of an OP-stack chain: money was minted, the call failed.'),
  fake('E30', MOVEMENTS, 'Our own gas top-up or sweep.'),
  fake('E31', CORPUS, 'Many legs to us in one transaction: each counts, once.'),
  fake('E32', CORPUS, 'ERC-777 writes Sent, Minted and Transfer for one movement.'),
  fake('E33', CORPUS, 'A “USDC” of 18 decimals.'),
  fake('E34', CORPUS, 'Bridged and wrapped coins: USDC.e, USDbC, WETH.'),
  fake('T1', TRON_CORPUS, 'Execution failed: reverted, out of energy, out of time; the log looks right.'),
  fake('T2', TRON_CORPUS, 'An internal transaction that was rejected.'),
  fake('T3', TRON_CORPUS, 'A TRC-10 token named USDT or TRX.'),
  fake('T4', TRON_CORPUS, 'A look-alike TRC-20 token.'),
  fake('T5', TRON_CORPUS, 'The amount of a TRC-10 transfer, read as sun.'),
  fake('T6', TRON_CORPUS, 'The value of a contract call that failed.'),
  fake('T7', TRON_CORPUS, 'A transaction that a node knows and no block holds, after its time.'),
  fake('T8', TRON_NODE, 'A block is dropped before it is final.'),
  fake('T9', TRON_CORPUS, 'Resources are delegated or unfrozen, a reward of votes is withdrawn.'),
  fake('T10', TRON_CORPUS, 'Our address is activated, and nothing is sent.'),
  fake('T11', TRON_CORPUS, 'Topics that hold an address with its prefix, or at the wrong end.'),
  fake('T12', TRON_CORPUS, 'A transfer that another key signed for its owner; real.'),
  fake('T13', TRON_CORPUS, 'A memo claims a payment.'),
  fake('T14', TRON_CORPUS, 'A transfer of nothing, from an address that resembles the payer’s.'),
  fake('T15', TRON_CORPUS, 'An internal transfer of a TRC-10 token.'),
  fake('T16', TRON_CORPUS, 'An amount stands twice, and the one that nodes execute under a tag of too many bits.'),
  fake('T17', TRON_CORPUS, 'Fields that no message has, in every type there is; the transfer is real.'),
  fake('T18', TRON_CORPUS, 'A contract is destroyed in our favour; real, and sometimes undone.'),
  fake('B1', BITCOIN_CORPUS, 'It waits, says that it may be replaced, and is.'),
  fake('B2', BITCOIN_CORPUS, 'It waits, and is replaced without having said so.'),
  fake('B3', BITCOIN_CORPUS, 'It waits on a long chain of others, and is evicted with them.'),
  fake('B4', BITCOIN_CORPUS, 'New coins of a block; real, and not to be spent for 100 blocks.'),
  fake('B5', BITCOIN_CORPUS, 'Our key behind another script than that of our address.'),
  fake('B6', BITCOIN_CORPUS, 'Data that spells our address, our script or our key.'),
  fake('B7', BITCOIN_CORPUS, 'Our public key bare, or as one of several.'),
  fake('B8', BITCOIN_CORPUS, 'Dust, and an inscription that claims an amount; worth what it holds.'),
  fake('B9', BITCOIN_CORPUS, 'A transaction of a test network, shown for the main one.'),
  fake('B10', BITCOIN_CORPUS, 'A node turns to a branch with less work.'),
  fake('B11', BITCOIN_CORPUS, 'Its block is taken back, and another one holds it.'),
  fake('B12', BITCOIN_CORPUS, 'Somebody spells its signature anew, so that its id changes.'),
  fake('B13', BITCOIN_CORPUS, 'The same output is seen waiting, in its block and by a re-read.'),
  fake('B14', BITCOIN_CORPUS, 'Amounts that are other numbers as floats.'),
  fake('B15', BITCOIN_CORPUS, 'It is locked for a time to come, and a node relays it already.'),
  fake('B16', BITCOIN_CORPUS, 'Its block has no work of miners, or so little that anybody can forge it.'),
  fake('B17', BITCOIN_CORPUS, 'Its block states an easier target than the network has by then.'),
  fake('S1', SOLANA_CORPUS, 'The transaction failed; its balances look right.'),
  fake('S2', SOLANA_CORPUS, 'Another mint of the same symbol.'),
  fake('S3', SOLANA_CORPUS, 'A token of Token-2022, with a fee, a hook or hidden balances.'),
  fake('S4', SOLANA_CORPUS, 'A token account of ours that is not the one everybody can compute.'),
  fake('S5', SOLANA_CORPUS, 'A token account is handed to us with all that it holds.'),
  fake('S6', SOLANA_CORPUS, 'Our token account is frozen, or somebody else may close it.'),
  fake('S7', SOLANA_CORPUS, 'The rent of a token account, read as coins that arrived.'),
  fake('S8', SOLANA_CORPUS, 'Coins that are wrapped for us, and come out again.'),
  fake('S9', SOLANA_CORPUS, 'A slot of a fork that is not final.'),
  fake('S10', SOLANA_CORPUS, 'Instructions within others, counted beside what the balance says.'),
  fake('S11', SOLANA_CORPUS, 'Accounts of lookup tables, taken for one another.'),
  fake('S12', SOLANA_CORPUS, 'Money that comes and goes in one transaction.'),
  fake('X1', RECEIVE, 'The same fact told twice, by different readings.'),
  fake('X2', WATCH, 'Two leaders at once.'),
  fake('X3', WATCH, 'The process dies between the effect and the cursor.'),
  fake('X4', 'e2e/chaos/clock.test.ts', 'The clock jumps by a day, forwards or back.'),
  fake(
    'X5',
    'apps/server/src/modules/deposits/ledger-invariants.db.test.ts',
    'A row written by hand into the deposits.',
  ),
  fake('X6', SERVER, 'A caller of the API says that it is paid.'),
  fake('X7', NODES, 'A payer names somebody else’s transaction.'),
  fake('X8', SERVER, 'A transfer older than the assignment of its address.'),
  fake('X9', SERVER, 'The asset is disabled between the block and finality.'),
  fake('X10', RECEIVE, 'The price feed is broken while the deposit is valued.'),
  fake('X11', SERVER, 'Money from an address that the project blocks; real, and kept apart until a person decides.'),
  fake('X12', NODES, 'Money for an address at which no contract exists yet.'),
]

function fake(id: string, test: string, says: string): FakeClass {
  return { id, says, test }
}
