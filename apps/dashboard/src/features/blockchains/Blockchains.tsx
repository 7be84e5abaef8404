import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../api/request-error.ts'
import { watchedBlockchainsQuery } from '../../api/blockchains.ts'
import { paths } from '../../lib/paths.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { blockchainColumns } from './blockchain-columns.tsx'

const LEADS = {
  mainnet: msg`The networks Kassa reads, and the nodes it reads them through. This server is on mainnet.`,
  testnet: msg`The networks Kassa reads, and the nodes it reads them through. This server is on testnets.`,
  sandbox: msg`The networks Kassa reads, and the nodes it reads them through. This server is a sandbox.`,
} as const

const onFirst = (a: Blockchain, b: Blockchain) => Number(b.status === 'active') - Number(a.status === 'active')

/** Which networks are watched, through whom, and how sure we are. */
export function Blockchains() {
  const { data, error, refetch } = useQuery(watchedBlockchainsQuery)
  const mode = data?.[0]?.networkMode
  return (
    <>
      <PageHead
        title={t`Blockchains`}
        text={mode === undefined ? t`The networks Kassa reads, and the nodes it reads them through.` : t(LEADS[mode])}
      />
      <DataTable
        caption={t`Blockchains`}
        columns={blockchainColumns()}
        rows={data?.toSorted(onFirst)}
        rowKey={({ code }) => code}
        rowHref={({ code }) => paths.blockchain({ code })}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t`No networks`} text={t`This server knows no blockchain.`} />}
      />
    </>
  )
}
