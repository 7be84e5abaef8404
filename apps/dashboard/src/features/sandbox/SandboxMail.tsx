import type { SandboxEmail } from '@kassa/contract/sandbox/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Mail } from 'lucide-react'

import { configurationQuery } from '../../api/configuration.ts'
import { asRequestError } from '../../api/request-error.ts'
import { sandboxEmailsQuery } from '../../api/sandbox.ts'
import { stringifySearch, useSearchState } from '../../lib/navigation/search.ts'
import { paths } from '../../lib/paths.ts'
import { exactTime } from '../../lib/time/time.ts'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { KeyValue } from '../../ui/facts/KeyValue.tsx'
import { TruncatedName } from '../../ui/facts/TruncatedName.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { Drawer } from '../../ui/overlays/Drawer.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'

/** The e-mails that a sandbox without a mail server keeps: invitations, links and notices, to be read and followed. */
export function SandboxMail() {
  const { data: configuration } = useQuery(configurationQuery)
  const isSandbox = configuration?.features.sandbox
  return (
    <>
      <PageHead
        title={t`Sandbox mail`}
        text={t`What Kassa would have sent by e-mail. The newest 200 e-mails are kept; those to people above you aren’t shown.`}
      />
      {configuration?.features.smtp === true && (
        <Banner tone="neutral">
          <Trans>
            A <TextLink href={paths.email()}>mail server</TextLink> is set: new e-mails are sent, and not kept here.
          </Trans>
        </Banner>
      )}
      {isSandbox === false ? (
        <EmptyState title={t`Nothing is kept here`} text={t`Only a sandbox keeps e-mails. This server sends them.`} />
      ) : (
        <Emails />
      )}
    </>
  )
}

function Emails() {
  const [search, setSearch] = useSearchState()
  const pathname = useLocation({ select: (location) => location.pathname })
  const { data: emails, error, refetch } = useQuery(sandboxEmailsQuery)
  const at = emails?.findIndex(({ id }) => String(id) === search.email) ?? -1
  const email = emails?.[at]
  const open = (one: SandboxEmail | undefined) => setSearch({ email: one && String(one.id) })
  const step = (by: number) => {
    const next = emails?.[at + by]
    return next && (() => open(next))
  }
  return (
    <>
      <DataTable
        caption={t`E-mails`}
        columns={columns()}
        rows={emails}
        rowKey={({ id }) => String(id)}
        rowName={({ subject }) => subject}
        rowHref={({ id }) => pathname + stringifySearch({ ...search, email: String(id) })}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            icon={<Mail aria-hidden />}
            title={t`No e-mails yet`}
            text={t`Invite a member, or change a password: the e-mails that Kassa sends appear here.`}
          />
        }
      />
      {email && (
        <Drawer title={email.subject} onPrevious={step(-1)} onNext={step(1)} onClose={() => open(undefined)}>
          <EmailCard email={email} />
        </Drawer>
      )}
    </>
  )
}

function EmailCard({ email: { to, createdAt, paragraphs, action, foot } }: { email: SandboxEmail }) {
  return (
    <div className="flex flex-col gap-6">
      <KeyValue
        rows={[
          { label: t({ message: 'To', context: 'mail', comment: 'the address a mail goes to' }), value: to },
          { label: t`When`, value: exactTime(createdAt) },
        ]}
      />
      <div className="flex flex-col gap-4" dir="auto">
        {paragraphs.map((text) => (
          <p key={text} className="break-words">
            {text}
          </p>
        ))}
        {action && (
          <div className="flex flex-col items-start gap-2">
            <LinkButton href={action.url} kind="primary" newTab>
              {action.label}
            </LinkButton>
            <bdi dir="ltr" className="text-caption break-all text-muted">
              {action.url}
            </bdi>
          </div>
        )}
        <p className="text-dense break-words text-muted">{foot}</p>
      </div>
    </div>
  )
}

function columns(): Column<SandboxEmail>[] {
  return [
    {
      key: 'subject',
      label: t({ message: 'Subject', comment: 'of a mail' }),
      card: 'title',
      grows: true,
      cell: ({ subject }) => <TruncatedName name={subject} />,
    },
    {
      key: 'to',
      label: t({ message: 'To', context: 'mail', comment: 'the address a mail goes to' }),
      card: 'line',
      cell: ({ to }) => <TruncatedName name={to} widens />,
    },
    { key: 'when', label: t`When`, card: 'foot', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ]
}
