import type { AuditEntry } from '@kassa/contract/audit/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { auditEntryQuery } from '../../api/audit.ts'
import { asRequestError } from '../../api/request-error.ts'
import { deviceName } from '../../labels/people/device-name.ts'
import { exactTime } from '../../lib/time/time.ts'
import { CopyButton } from '../../ui/actions/CopyButton.tsx'
import { KeyValue, type KeyValueRow } from '../../ui/facts/KeyValue.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Drawer } from '../../ui/overlays/Drawer.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { DiffView } from './DiffView.tsx'
import { CATEGORY_WORDS, eventTitle, resultBadge, whoOf } from './audit-words.ts'

export type AuditDrawerProps = {
  readonly id: number
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly onClose: () => void
}

/** One entry: who, from where, what changed, and where it stands in the chain. */
export function AuditDrawer({ id, onPrevious, onNext, onClose }: AuditDrawerProps) {
  const { data: entry, error, refetch } = useQuery(auditEntryQuery(id))
  return (
    <Drawer
      title={entry === undefined ? t`Entry ${id}` : eventTitle(entry)}
      aside={entry && <StatusBadge {...resultBadge(entry)} />}
      onPrevious={onPrevious}
      onNext={onNext}
      onClose={onClose}
    >
      {entry !== undefined && <Facts entry={entry} />}
      {entry === undefined && error === null && <Skeleton width="60%" />}
      {entry === undefined && error !== null && (
        <ErrorState
          title={t`This entry couldn’t be loaded`}
          error={asRequestError(error)}
          onRetry={() => void refetch()}
        />
      )}
    </Drawer>
  )
}

function Facts({ entry }: { entry: AuditEntry }) {
  return (
    <div className="flex flex-col gap-6">
      <KeyValue rows={[...whoRows(entry), ...callRows(entry)]} />
      <section className="flex flex-col gap-2">
        <h3 className="text-body font-medium">
          <Trans>What changed</Trans>
        </h3>
        <DiffView metadata={entry.metadata} />
      </section>
      <section className="flex flex-col gap-2">
        <h3 className="text-body font-medium">
          <Trans>Proof</Trans>
        </h3>
        <KeyValue rows={proofRows(entry)} />
      </section>
    </div>
  )
}

function whoRows(entry: AuditEntry): KeyValueRow[] {
  const { createdAt, role, ipAddress, userAgent, externalPlatforms, count } = entry
  return [
    { label: t`When`, value: exactTime(createdAt) },
    { label: t`Who`, value: whoOf(entry) },
    ...(role === '' ? [] : [{ label: t`Role then`, value: role.replaceAll(' ', ', ') }]),
    ...(ipAddress === ''
      ? []
      : [{ label: t`From`, value: <span title={userAgent}>{`${ipAddress}, ${deviceName(userAgent)}`}</span> }]),
    ...externalPlatforms.map(({ name }) => ({ label: t`Project`, value: name })),
    ...(count === 1 ? [] : [{ label: t`Refused calls`, value: count }]),
  ]
}

function callRows({ eventCategory, method, apiPart, statusCode, errorCode, referer }: AuditEntry): KeyValueRow[] {
  const call = `${method} ${apiPart}`.trim()
  return [
    { label: t`Subject`, value: t(CATEGORY_WORDS[eventCategory]) },
    ...(call === '' ? [] : [{ label: t`Call`, value: <Mono text={call} /> }]),
    ...(statusCode === 0
      ? []
      : [{ label: t`Answer`, value: errorCode === null ? statusCode : `${statusCode} ${errorCode}` }]),
    ...(referer === '' ? [] : [{ label: t`From the page`, value: referer }]),
  ]
}

function proofRows({ id, requestID, hash, prevHash }: AuditEntry): KeyValueRow[] {
  const soon = t`Sealed in some seconds`
  return [
    { label: t`Entry`, value: id },
    { label: t`Request id`, value: <Mono text={requestID} /> },
    {
      label: t`Hash`,
      value:
        hash === null ? (
          soon
        ) : (
          <span className="flex items-start gap-1">
            <Mono text={hash} />
            <CopyButton label={t`hash`} value={hash} />
          </span>
        ),
    },
    { label: t`Hash of the entry before`, value: prevHash === null ? soon : <Mono text={prevHash} /> },
  ]
}

function Mono({ text }: { text: string }) {
  return (
    <bdi dir="ltr" className="font-mono text-dense break-all">
      {text}
    </bdi>
  )
}
