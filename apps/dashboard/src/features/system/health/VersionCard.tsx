import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { backupStateQuery } from '../../../api/backups.ts'
import { blockchainsQuery } from '../../../api/blockchains.ts'
import { ledgerCheckQuery } from '../../../api/ledger.ts'
import { useCan } from '../../../api/me.ts'
import { alarmsQuery, healthQuery, versionQuery } from '../../../api/system.ts'
import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { HealthCard } from './HealthCard.tsx'
import { UpdateCommands } from './UpdateCommands.tsx'
import { supportLine } from './support-line.ts'

/** What runs, and the line to send with a question. */
export function VersionCard() {
  const can = useCan()
  const version = useQuery(versionQuery)
  const { data: health } = useQuery(healthQuery)
  const { data: alarms } = useQuery(alarmsQuery)
  const { data: backups } = useQuery(backupStateQuery)
  const { data: books } = useQuery({ ...ledgerCheckQuery, enabled: can('ledger:read') })
  const { data: blockchains } = useQuery({ ...blockchainsQuery, enabled: can('blockchain:read') })
  return (
    <HealthCard title={t`Version`} loading={t`Loading Version`} failed={t`Version couldn’t be loaded`} answer={version}>
      {(facts) => (
        <div className="flex flex-col gap-3">
          <KeyValue
            rows={[
              { label: t`Version`, value: facts.version },
              { label: t`Build`, value: facts.build || '–' },
              ...(facts.builtAt === null ? [] : [{ label: t`Built`, value: <TimeAgo at={facts.builtAt} /> }]),
              ...(facts.image === '' ? [] : [{ label: t`Image`, value: facts.image }]),
            ]}
          />
          <UpdateCommands />
          <div className="flex flex-col gap-1.5">
            <p className="text-body text-muted">
              <Trans>Asking for help? Send this line. It holds no secret and no customer.</Trans>
            </p>
            <CodeBlock
              label={t`support line`}
              text={supportLine({ version: facts, health, books, alarms, blockchains, backups })}
              wraps
            />
          </div>
        </div>
      )}
    </HealthCard>
  )
}
