import type { MailServer } from '@kassa/contract/mail/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { configurationQuery } from '../../api/configuration.ts'
import { asRequestError } from '../../api/request-error.ts'
import { mailServerQuery } from '../../api/mail.ts'
import { useCan } from '../../api/me.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { KeyValue } from '../../ui/facts/KeyValue.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'
import { MailServerForm } from './MailServerForm.tsx'
import { TestResult } from './TestResult.tsx'
import { encryptionName } from './encryption-names.ts'
import { useTrial } from './useTrial.ts'

/** Makes the server able to send mail, and proves it. */
export function MailSettings() {
  const { data: server, error, refetch } = useQuery(mailServerQuery)
  const { data: configuration } = useQuery(configurationQuery)
  const isSandbox = configuration?.features.sandbox === true
  const can = useCan()
  const [mayWrite, mayTry, mayUseSandbox] = [can('security:write'), can('settings:write'), can('sandbox:use')]
  return (
    <div className="max-w-[640px]">
      <PageHead
        title={t`E-mail`}
        text={t`The server that sends what Kassa writes: links and codes, notices to operators, reminders to customers.`}
      />
      {server === undefined && error === null && <Loading />}
      {server === undefined && error !== null && (
        <Card flush>
          <ErrorState
            title={t`The mail server couldn’t be loaded`}
            error={asRequestError(error)}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      {server !== undefined && (
        <div className="flex flex-col gap-4">
          {server === null && <NoMailServer mayUseSandbox={isSandbox && mayUseSandbox} isSandbox={isSandbox} />}
          {server && (
            <Banner tone={server.verifiedAt === null ? 'warning' : 'success'}>
              {server.verifiedAt === null ? (
                <Trans>No mail was sent with these values yet. Send a test e-mail.</Trans>
              ) : (
                <Trans>
                  The mail server took a mail of ours <TimeAgo at={server.verifiedAt} inText />.
                </Trans>
              )}
            </Banner>
          )}
          {mayWrite ? (
            <MailServerForm server={server} />
          ) : (
            server && <StoredMailServer server={server} mayTry={mayTry} />
          )}
        </div>
      )}
    </div>
  )
}

/** The values as they are stored, for who may not change them; administrators may still try them. */
function StoredMailServer({ server, mayTry }: { server: MailServer; mayTry: boolean }) {
  const trial = useTrial()
  return (
    <Card title={t`Mail server`}>
      <div className="flex flex-col gap-4">
        <KeyValue
          rows={[
            { label: t`Host`, value: `${server.host}:${server.port}` },
            { label: t`Encryption`, value: encryptionName(server.encryption) },
            {
              label: t({ message: 'From', context: 'mail', comment: 'the address a mail comes from' }),
              value: server.from,
            },
          ]}
        />
        {trial.result && <TestResult result={trial.result} />}
        {trial.failure !== undefined && <Banner tone="danger">{trial.failure}</Banner>}
        {mayTry && (
          <div className="flex justify-end">
            <Button onClick={() => void trial.run()} loading={trial.isRunning}>
              <Trans>Send test e-mail</Trans>
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

/** What does not happen without a mail server; a sandbox stores its e-mails instead. */
function NoMailServer({ isSandbox, mayUseSandbox }: { isSandbox: boolean; mayUseSandbox: boolean }) {
  return (
    <Banner tone="neutral">
      <Trans>No mail server is set. Operators who forget their password need a link from an administrator.</Trans>
      {!isSandbox && (
        <>
          {' '}
          <Trans>
            Nobody gets notices about new keys, wallets, sign-ins and failing webhook endpoints. Customers are not
            reminded of open links. Promoters get no code, and cannot withdraw.
          </Trans>
        </>
      )}
      {mayUseSandbox && (
        <>
          {' '}
          <Trans>
            This is a sandbox: <TextLink href={paths.sandboxMail()}>it keeps what it would have sent</TextLink>.
          </Trans>
        </>
      )}
    </Banner>
  )
}

function Loading() {
  return (
    <Card title={t`Mail server`}>
      <LoadingText />
      <div className="flex flex-col gap-3">
        <Skeleton width="70%" />
        <Skeleton width="50%" />
        <Skeleton width="60%" />
      </div>
    </Card>
  )
}
