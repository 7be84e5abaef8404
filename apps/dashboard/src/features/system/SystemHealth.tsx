import { t } from '@lingui/core/macro'

import { useCan } from '../../api/me.ts'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { AddressesCard } from './addresses/AddressesCard.tsx'
import { ServerQrCard } from './addresses/ServerQrCard.tsx'
import { AlarmsCard } from './alarms/AlarmsCard.tsx'
import { DevicesCard } from './devices/DevicesCard.tsx'
import { LedgerCheckCard } from './health/LedgerCheckCard.tsx'
import { Networks } from './health/Networks.tsx'
import { PricesCard } from './health/PricesCard.tsx'
import { VersionCard } from './health/VersionCard.tsx'
import { BackupsCard } from './upkeep/BackupsCard.tsx'
import { WorkersCard } from './workers/WorkersCard.tsx'

/** Whether everything runs, whether the books balance, and what needs a person. */
export function SystemHealth() {
  const can = useCan()
  return (
    <>
      <PageHead title={t`System health`} text={t`Whether everything runs, and whether the books balance.`} />
      <div className="flex flex-col gap-4">
        <AlarmsCard />
        {can('ledger:read') && <LedgerCheckCard />}
        {can('blockchain:read') && (
          <div className="my-2">
            <Networks />
          </div>
        )}
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="flex flex-col gap-4">
            <WorkersCard />
            <BackupsCard />
          </div>
          <div className="flex flex-col gap-4">
            <PricesCard />
            {can('settings:read') && <AddressesCard />}
            <ServerQrCard />
            {can('system:operate') && <DevicesCard />}
          </div>
        </div>
        <VersionCard />
      </div>
    </>
  )
}
