import type { ApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { paths } from '../../../lib/paths.ts'
import { listText } from '../../../lib/text/list-text.ts'
import { useNow } from '../../../lib/time/ticker.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'
import { ApiKeyMenu } from './ApiKeyMenu.tsx'
import type { ApiKeyAct } from './ApiKeyMenu.tsx'
import { accessName, apiKeyState } from './api-key-states.ts'

export type ApiKeyColumnsOptions = {
  /** Names the project of each key; absent where all are of one. */
  readonly projectName: ((id: number) => string) | undefined
  readonly mayChange: (key: ApiKey) => boolean
  /** Whether the operator may read what a key did. */
  readonly maySeeRequests: boolean
  readonly onAct: (key: ApiKey, act: ApiKeyAct) => void
}

/** Returns the columns of the list of API keys. */
export function apiKeyColumns({
  projectName,
  mayChange,
  maySeeRequests,
  onAct,
}: ApiKeyColumnsOptions): Column<ApiKey>[] {
  const project: Column<ApiKey>[] =
    projectName === undefined
      ? []
      : [{ key: 'project', label: t`Project`, cell: (row) => projectName(row.externalPlatformID) }]
  return [
    { key: 'name', label: t`Name`, card: 'title', cell: (row) => row.name || row.description || t`Unnamed` },
    {
      key: 'key',
      label: t`Key`,
      cell: (row) => (
        <bdi dir="ltr" className="font-mono">
          {row.keyPrefix}…{row.last4}
        </bdi>
      ),
    },
    {
      key: 'access',
      label: t`Access`,
      cell: ({ scopes }) => <span title={listText(scopes)}>{accessName(scopes)}</span>,
    },
    ...project,
    { key: 'lastUsed', label: t`Last used`, card: 'foot', shrink: 2, cell: (row) => <LastUsed apiKey={row} /> },
    {
      key: 'expires',
      label: t`Expires`,
      card: 'none',
      shrink: 1,
      cell: ({ expiresAt }) => (expiresAt === null ? t`Never` : <TimeRemaining until={expiresAt} />),
    },
    { key: 'state', label: t`State`, card: 'badge', cell: (row) => <State apiKey={row} /> },
    {
      key: 'actions',
      label: t`Actions`,
      align: 'end',
      card: 'badge',
      cell: (row) => (
        <span className="inline-flex items-center gap-3">
          {maySeeRequests && <RequestsLink apiKey={row} />}
          {mayChange(row) && <ApiKeyMenu apiKey={row} onAct={(act) => onAct(row, act)} />}
        </span>
      ),
    },
  ]
}

/** What the key changed, and what it was refused, as the audit log has it. */
function RequestsLink({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  return (
    <TextLink href={paths.auditLog({ key: String(id) })}>
      <Trans>
        Requests<span className="sr-only"> of {name}</span>
      </Trans>
    </TextLink>
  )
}

function LastUsed({ apiKey: { lastUsedAt, lastUsedIP } }: { apiKey: ApiKey }) {
  if (lastUsedAt === null) return t`Not used yet`
  if (lastUsedIP === null) return <TimeAgo at={lastUsedAt} />
  return (
    <span>
      <Trans>
        <TimeAgo at={lastUsedAt} /> <span className="text-muted">from {lastUsedIP}</span>
      </Trans>
    </span>
  )
}

function State({ apiKey }: { apiKey: ApiKey }) {
  const word = useNow((now) => apiKeyState(apiKey, now).word)
  return <StatusBadge tone={apiKeyState(apiKey, new Date()).tone} word={word} wire={apiKey.status} />
}
