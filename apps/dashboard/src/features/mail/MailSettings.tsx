import { useQuery } from '@tanstack/react-query'

import { asApiError } from '../../api/api-error.ts'
import { mailServerQuery } from '../../api/mail.ts'
import { useCan } from '../../api/me.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { KeyValue } from '../../ui/KeyValue.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { LoadingText, Skeleton } from '../../ui/Skeleton.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { MailServerForm } from './MailServerForm.tsx'
import { encryptionName } from './encryption-names.ts'

/** Makes the server able to send mail, and proves it. */
export function MailSettings() {
  const { data: server, error, refetch } = useQuery(mailServerQuery)
  const mayWrite = useCan()('settings:write')
  return (
    <div className="max-w-[640px]">
      <PageHead title="E-mail" text="The server that sends what Kassa writes: links to choose a password, for now." />
      {server === undefined && error === null && <Loading />}
      {server === undefined && error !== null && (
        <ErrorState
          title="The mail server couldn’t be loaded"
          error={asApiError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {server !== undefined && (
        <div className="flex flex-col gap-4">
          {server === null && (
            <Banner tone="neutral">
              No mail server is set. Operators who forget their password need a link from an administrator.
            </Banner>
          )}
          {server && (
            <Banner tone={server.verifiedAt === null ? 'warning' : 'success'}>
              {server.verifiedAt === null ? (
                'No mail was sent with these values yet. Send a test e-mail.'
              ) : (
                <>
                  The mail server took a mail of ours <TimeAgo at={server.verifiedAt} />.
                </>
              )}
            </Banner>
          )}
          {mayWrite ? (
            <MailServerForm key={JSON.stringify(server)} server={server} />
          ) : (
            server && (
              <Card title="Mail server">
                <KeyValue
                  rows={[
                    { label: 'Host', value: `${server.host}:${server.port}` },
                    { label: 'Encryption', value: encryptionName(server.encryption) },
                    { label: 'From', value: server.from },
                  ]}
                />
              </Card>
            )
          )}
        </div>
      )}
    </div>
  )
}

function Loading() {
  return (
    <Card title="Mail server">
      <LoadingText />
      <div className="flex flex-col gap-3">
        <Skeleton width="70%" />
        <Skeleton width="50%" />
        <Skeleton width="60%" />
      </div>
    </Card>
  )
}
