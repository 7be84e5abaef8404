import type { BackupState } from '@kassa/contract/backups/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { backupStateQuery } from '../../../api/backups.ts'
import { configurationQuery } from '../../../api/configuration.ts'
import { useCan } from '../../../api/me.ts'
import { fileSize } from '../../../lib/text/file-size.ts'
import { useNow } from '../../../lib/time/ticker.ts'
import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { KeyValue, type KeyValueRow } from '../../../ui/facts/KeyValue.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { BACKUP_COMMAND } from '../health/commands.ts'
import { HealthCard } from '../health/HealthCard.tsx'
import { BackupReminder } from './BackupReminder.tsx'
import { backupDueText, backupDueTitle, backupFileText } from './backup-texts.ts'

/** When this install was last backed up, and the command that does it. */
export function BackupsCard() {
  const answer = useQuery(backupStateQuery)
  const { data: configuration } = useQuery(configurationQuery)
  const mayChange = useCan()('settings:write')
  const isSandbox = configuration?.blockchainNetwork === 'sandbox'
  return (
    <HealthCard title={t`Backups`} loading={t`Loading Backups`} failed={t`Backups couldn’t be loaded`} answer={answer}>
      {(state) => (
        <div className="flex flex-col gap-4">
          {state.isDue && <DueBanner lastTakenAt={state.last?.takenAt ?? null} />}
          <FileBanner file={state.last?.file ?? null} />
          <KeyValue rows={rowsOf(state)} />
          <div className="flex flex-col gap-1.5">
            <p className="text-body text-muted">
              <Trans>
                Run this on the server. It asks for a passphrase and writes one encrypted file, while Kassa runs. Keep a
                copy on another machine.
              </Trans>
            </p>
            <CodeBlock label={t`backup command`} text={BACKUP_COMMAND} />
          </div>
          {isSandbox && (
            <p className="text-dense text-muted">
              <Trans>The sandbox never asks for a backup: its money is worth nothing.</Trans>
            </p>
          )}
          {mayChange && !isSandbox && <BackupReminder days={state.remindAfterDays} />}
        </div>
      )}
    </HealthCard>
  )
}

function DueBanner({ lastTakenAt }: { lastTakenAt: Date | null }) {
  const title = useNow((now) => backupDueTitle(lastTakenAt, now))
  return (
    <Banner tone="warning">
      <p className="font-medium">{title}</p>
      <p>{backupDueText(lastTakenAt)}</p>
    </Banner>
  )
}

/** The file of the last backup is not as it was written; silent where this machine cannot know. */
function FileBanner({ file }: { file: NonNullable<BackupState['last']>['file'] }) {
  const text = backupFileText(file)
  return text === undefined ? null : <Banner tone="warning">{text}</Banner>
}

function rowsOf({ last, restored }: BackupState): KeyValueRow[] {
  const ofLast = last === null ? [] : rowsOfLast(last)
  return [
    { label: t`Last backup`, value: last === null ? t`None` : <TimeAgo at={last.takenAt} /> },
    ...ofLast,
    ...(restored === null
      ? []
      : [
          {
            label: t`Restored`,
            value: (
              <Trans>
                <TimeAgo at={restored.recordedAt} />, from the backup of <TimeAgo at={restored.takenAt} inText />
              </Trans>
            ),
          },
        ]),
  ]
}

function rowsOfLast({ bytes, rows, hasMasterKey, version }: NonNullable<BackupState['last']>): KeyValueRow[] {
  const size = fileSize(bytes)
  const count = plural(rows, { one: '# row', other: '# rows' })
  return [
    { label: t`Size`, value: t`${size}, ${count}` },
    {
      label: t`Master key`,
      value: hasMasterKey ? t`In the file, encrypted` : t`Not in the file: keep it elsewhere, a restore needs it`,
    },
    { label: t`Taken by`, value: t`Kassa ${version}` },
  ]
}
