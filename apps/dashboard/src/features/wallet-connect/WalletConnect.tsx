import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../api/request-error.ts'
import { configurationQuery } from '../../api/configuration.ts'
import { useCan } from '../../api/me.ts'
import { Card } from '../../ui/places/Card.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { KeyValue } from '../../ui/facts/KeyValue.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { WalletConnectForm } from './WalletConnectForm.tsx'

/** The id under which payment pages may connect to wallets on a phone; what needs it, and what does not. */
export function WalletConnect() {
  const { data: configuration, error, refetch } = useQuery(configurationQuery)
  const mayWrite = useCan()('settings:write')
  const id = configuration?.walletConnectID
  return (
    <div className="max-w-[640px]">
      <PageHead
        title={t`Wallet connect`}
        text={t`The id under which payment pages may connect to wallet apps on a phone.`}
      />
      <div className="flex flex-col gap-4">
        <Card>
          {id === undefined && error === null && (
            <>
              <LoadingText />
              <Skeleton width="70%" />
            </>
          )}
          {id === undefined && error !== null && (
            <ErrorState
              title={t`The project id couldn’t be loaded`}
              error={asRequestError(error)}
              onRetry={() => void refetch()}
            />
          )}
          {id !== undefined && mayWrite && <WalletConnectForm key={id} id={id} />}
          {id !== undefined && !mayWrite && (
            <KeyValue rows={[{ label: t`Project id`, value: id === '' ? t`None is set` : id }]} />
          )}
        </Card>
        <Explanation />
      </div>
    </div>
  )
}

function Explanation() {
  return (
    <Card title={t`What it is for`}>
      <div className="flex flex-col gap-3 text-body">
        <p>
          <Trans>
            Payment pages of your own that reach phone wallets through WalletConnect read this id from the server. It is
            no secret: every browser that opens such a page sees it, and contacts WalletConnect when the customer asks
            to connect.
          </Trans>
        </p>
        <p>
          <Trans>
            Everything else works without it. Kassa’s own payment page does not use it: customers scan the code with any
            wallet, copy the address, or pay with the wallet of their browser.
          </Trans>
        </p>
        <p>
          <Trans>
            You get an id from Reown, who run WalletConnect: create a project, list the URLs of your payment pages as
            its allowed domains, and copy its project id.
          </Trans>
        </p>
        <p>
          <TextLink href="https://dashboard.reown.com" newTab>
            <Trans>Create a project at Reown</Trans>
          </TextLink>
        </p>
      </div>
    </Card>
  )
}
