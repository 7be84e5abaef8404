import type { BlockRef, Chain, TransferFilter, UnlistedMove, UnlistedTransfer } from '../../adapter.ts'
import { addressText, tronAddresses } from '../addresses/addresses.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import type { WireInfo, WireLog } from '../encoding/wire.ts'
import { logLeg } from './legs.ts'
import { CLEAN_ADDRESS_TOPIC, keyOfTopic, TRANSFER_TOPIC, WORD_LENGTH } from './transfers.ts'

/** The most transfers that are listed of one transaction, which may have thousands of logs. */
const MOST_LISTED = 100

/** The most notices of one block: a contract can name thousands of receivers for little energy. */
const MOST_NOTICED = 200

/** Lists what unlisted contracts say they moved in one transaction; it proves nothing (money.md 2.4). */
export function unlistedMoves(chain: Chain, { logs }: WireInfo): UnlistedMove[] {
  const listed = listedContracts(chain)
  return logs
    .flatMap(({ address, topics: [topic, , to] }): UnlistedMove[] => {
      if (topic !== TRANSFER_TOPIC || !to || !CLEAN_ADDRESS_TOPIC.test(to) || listed.has(address)) return []
      return [{ contract: addressText(fromHex(address)), to: addressText(keyOfTopic(to)) }]
    })
    .slice(0, MOST_LISTED)
}

/** Lists the same for a block, with amounts and only to matched addresses: notices for a person, never transfers. */
export function noticeUnlisted(
  chain: Chain,
  filter: TransferFilter,
  block: BlockRef,
  infos: readonly WireInfo[],
): UnlistedTransfer[] {
  const listed = listedContracts(chain)
  const found: UnlistedTransfer[] = []
  for (const { txId, logs, isSuccess } of infos) {
    if (!isSuccess) continue
    for (const [ordinal, log] of logs.entries()) {
      const move = readUnlistedMove(listed, filter, log)
      if (move) found.push({ ...move, txId, leg: logLeg(ordinal), block })
      if (found.length === MOST_NOTICED) return found
    }
  }
  return found
}

function readUnlistedMove(
  listed: ReadonlySet<string>,
  { matches }: TransferFilter,
  { address, topics, data }: WireLog,
): (UnlistedMove & { units: bigint }) | null {
  const [topic, from, to] = topics
  if (topic !== TRANSFER_TOPIC || topics.length !== 3 || !from || !to || listed.has(address)) return null
  if (!CLEAN_ADDRESS_TOPIC.test(from) || !CLEAN_ADDRESS_TOPIC.test(to) || data.length !== WORD_LENGTH) return null
  const toKey = keyOfTopic(to)
  const units = BigInt(`0x${data}`)
  if (units === 0n || !matches(toKey) || matches(keyOfTopic(from))) return null
  return { contract: addressText(fromHex(address)), to: addressText(toKey), units }
}

function listedContracts(chain: Chain): ReadonlySet<string> {
  const tokens = chain.assets.filter(({ standard }) => standard !== 'native')
  return new Set(tokens.map(({ address }) => toHex(tronAddresses.key(chain, address))))
}
