import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { allowedOriginsQuery, siteAddressQuery } from '../../../api/site-settings.ts'
import { useCan } from '../../../api/me.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { HealthCard } from '../health/HealthCard.tsx'
import { OriginsDialog } from './OriginsDialog.tsx'
import { SiteAddressDialog } from './SiteAddressDialog.tsx'

/** Where customers reach this server, and whose pages may call it from a browser. */
export function AddressesCard() {
  const address = useQuery(siteAddressQuery)
  const origins = useQuery(allowedOriginsQuery)
  const mayChange = useCan()('security:write')
  const [asked, setAsked] = useState<'address' | 'origins'>()
  const close = () => setAsked(undefined)
  return (
    <div className="flex flex-col gap-4">
      <HealthCard
        title={t`URLs of this server`}
        loading={t`Loading the URLs of this server`}
        failed={t`The URLs of this server couldn’t be loaded`}
        answer={address}
        actions={
          mayChange &&
          address.data && (
            <Button onClick={() => setAsked('address')}>
              <Trans>Change URL</Trans>
            </Button>
          )
        }
      >
        {({ siteUrl, backendUrl }) => (
          <>
            <KeyValue
              rows={[
                { label: t`Customers reach this server at`, value: siteUrl ?? t`No URL is set yet` },
                { label: t`Programs call`, value: backendUrl ?? t`No URL is set yet` },
              ]}
            />
            {asked === 'address' && <SiteAddressDialog siteUrl={siteUrl} backendUrl={backendUrl} onClose={close} />}
          </>
        )}
      </HealthCard>
      <HealthCard
        title={t`Allowed origins`}
        loading={t`Loading Allowed origins`}
        failed={t`Allowed origins couldn’t be loaded`}
        answer={origins}
        actions={
          mayChange &&
          origins.data && (
            <Button onClick={() => setAsked('origins')}>
              <Trans>Change origins</Trans>
            </Button>
          )
        }
      >
        {(list) => (
          <>
            <p className="text-body text-muted">
              <Trans>
                Pages at these URLs may call the API from a browser, serve payment pages in place of this server, and
                stand in links to choose a password. The URL of this server always may.
              </Trans>
            </p>
            {list.length === 0 ? (
              <p className="mt-3 text-body">
                <Trans>No further origin.</Trans>
              </p>
            ) : (
              <ul aria-label={t`Allowed origins`} className="mt-3 flex flex-col gap-1 font-mono text-dense break-all">
                {list.map((origin) => (
                  <li key={origin}>{origin}</li>
                ))}
              </ul>
            )}
            {asked === 'origins' && (
              <OriginsDialog origins={list} site={address.data?.siteUrl ?? null} onClose={close} />
            )}
          </>
        )}
      </HealthCard>
    </div>
  )
}
