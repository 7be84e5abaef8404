import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { systemDetailsQuery } from '../../../api/site-settings.ts'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { QRCode } from '../../../ui/facts/QRCode.tsx'
import { HealthCard } from '../health/HealthCard.tsx'

/** Where this server is reached, as a code for a phone to read. */
export function ServerQrCard() {
  const details = useQuery(systemDetailsQuery)
  return (
    <HealthCard
      title={t`QR code of this server`}
      loading={t`Loading the QR code`}
      failed={t`The QR code couldn’t be loaded`}
      answer={details}
    >
      {(known) => {
        const { frontendServer, backendServer, server, blockchainNetwork } = known
        if (frontendServer === '')
          return (
            <p className="text-body text-muted">
              <Trans>Set the URL of this server first: the code says where to reach it.</Trans>
            </p>
          )
        return (
          <div className="flex flex-wrap items-start gap-4">
            <QRCode value={JSON.stringify(known)} label={t`the addresses of this server`} size={144} />
            <div className="min-w-0 flex-1 basis-60">
              <KeyValue
                rows={[
                  { label: t`Dashboard`, value: frontendServer },
                  { label: t`API for browsers`, value: backendServer },
                  { label: t`API for servers`, value: server },
                  { label: t`Network`, value: blockchainNetwork },
                ]}
              />
            </div>
          </div>
        )
      }}
    </HealthCard>
  )
}
