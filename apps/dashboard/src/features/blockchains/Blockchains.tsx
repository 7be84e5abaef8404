import { t } from '@lingui/core/macro'
import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { useQuery } from '@tanstack/react-query'

import { asApiError } from '../../api/api-error.ts'
import { watchedBlockchainsQuery } from '../../api/blockchains.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { BLOCKCHAIN_COLUMNS } from './blockchain-columns.tsx'

const WHERE = { mainnet: 'on mainnet', testnet: 'on testnets', sandbox: 'a sandbox' } as const

const onFirst = (a: Blockchain, b: Blockchain) => Number(b.status === 'active') - Number(a.status === 'active')

/** Which networks are watched, through whom, and how sure we are. */
export function Blockchains() {
  const { data, error, refetch } = useQuery(watchedBlockchainsQuery)
  const mode = data?.[0]?.networkMode
  return (
    <>
      <PageHead
        title={t`Blockchains`}
        text={t`The networks Kassa reads, and the nodes it reads them through.${mode === undefined ? '' : t` This server is ${WHERE[mode]}.`}`}
      />
      <DataTable
        caption={t`Blockchains`}
        columns={BLOCKCHAIN_COLUMNS}
        rows={data?.toSorted(onFirst)}
        rowKey={({ code }) => code}
        rowHref={({ code }) => `/settings/blockchains/${code}`}
        error={error === null ? null : asApiError(error)}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t`No networks`} text={t`This server knows no blockchain.`} />}
      />
    </>
  )
}
