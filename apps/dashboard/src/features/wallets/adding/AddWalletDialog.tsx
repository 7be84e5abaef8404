import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { configurationQuery } from '../../../api/configuration.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { DiscardDialog } from '../../../ui/forms/DiscardDialog.tsx'
import { RadioGroup } from '../../../ui/fields/RadioGroup.tsx'
import { Stepper } from '../../../ui/feedback/Stepper.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { useFormChanges } from '../../../ui/forms/useFormChanges.ts'
import { CompareStep } from './CompareStep.tsx'
import type { Account } from '../account/derive-account.ts'
import { BITCOIN, EVM, FAMILY_NAMES, type KeyFamily, TRON } from '../account/families.ts'
import { SeedPhraseStep } from './SeedPhraseStep.tsx'
import { PasteKeyStep } from './PasteKeyStep.tsx'
import { ReviewStep } from './ReviewStep.tsx'

const STEPS = [
  msg({ message: 'Key', comment: 'step of adding a wallet: its public key' }),
  msg({ message: 'Compare', comment: 'step of adding a wallet: see that its addresses are the right ones' }),
  msg({ message: 'Review', comment: 'step of adding a wallet: name it and look it over' }),
] as const

/** The form of whichever step is shown; the button in the foot submits it. */
const FORM = 'add-wallet'

const FAMILIES = [
  { value: EVM, hint: msg`One address per customer on Ethereum, Base and other EVM networks.` },
  { value: TRON, hint: msg`Addresses of TRON, for TRX and USDT.` },
] as const

const KINDS = [
  {
    value: 'xpub',
    label: msg`Extended public key`,
    hint: msg`From a wallet you have. Moving deposits on needs a signature of it.`,
  },
  {
    value: 'contract',
    label: msg`Sweep contract`,
    hint: msg`No key on the server: your wallet deploys it, and it pays your cold address only.`,
  },
] as const

const SOURCES = [
  {
    value: 'paste',
    label: msg`Paste an extended public key`,
    hint: msg`From a wallet you have: hardware, app or signer.`,
  },
  {
    value: 'make',
    label: msg`Make a test wallet in this browser`,
    hint: msg`On the sandbox only. You write its words down.`,
  },
] as const

export type AddWalletDialogProps = {
  readonly wallets: readonly Wallet[]
  /** The chain family that is chosen first; Bitcoin stays the chosen one, as its keys are read in another way. */
  readonly first?: KeyFamily
  readonly onClose: () => void
}

/** Adds a deposit wallet in three steps: its public key, its first addresses, its name and projects. */
export function AddWalletDialog({ wallets, first = EVM, onClose }: AddWalletDialogProps) {
  const { data: configuration } = useQuery(configurationQuery)
  const network = configuration?.blockchainNetwork ?? 'mainnet'
  const [step, setStep] = useState(0)
  const [family, setFamily] = useState<KeyFamily>(first)
  const isBitcoin = family === BITCOIN
  const mayMake = network === 'sandbox' && !isBitcoin
  const [kind, setKind] = useState('xpub')
  const [source, setSource] = useState('paste')
  const [account, setAccount] = useState<Account>()
  const [isBusy, setBusy] = useState(false)
  const [hasWords, setHasWords] = useState(false)
  const [timesBack, setTimesBack] = useState(0)

  const onAccount = (next: Account) => {
    setAccount(next)
    setHasWords(false)
    setStep(1)
  }
  const { fields, onChange, leave, question } = useFormChanges({
    holdsMore: step > 0 || hasWords,
    isSafe: isBusy,
    onClose,
  })
  const canGoBack = step > 0 || hasWords
  /** Words that were made are shown once: the way back from them is to where others are made. */
  const goBack = () => {
    setHasWords(false)
    setTimesBack(timesBack + 1)
    setStep(Math.max(step - 1, 0))
  }
  const onAdded = (name: string) => {
    toast.success(t`Deposit wallet “${name}” added`)
    onClose()
  }

  const foot = (
    <>
      {canGoBack && (
        <Button kind="quiet" disabled={isBusy} onClick={goBack}>
          <Trans>Back</Trans>
        </Button>
      )}
      <Button disabled={isBusy} onClick={onClose}>
        <Trans>Cancel</Trans>
      </Button>
      {kind === 'contract' ? (
        <LinkButton kind="primary" href={paths.deploySweepContract(family === TRON ? { network: 'TRX' } : {})}>
          <Trans>Continue</Trans>
        </LinkButton>
      ) : (
        <Button kind="primary" type="submit" form={FORM} loading={isBusy}>
          {step === STEPS.length - 1 ? t`Add wallet` : t`Continue`}
        </Button>
      )}
    </>
  )
  return (
    <>
      <Dialog
        title={isBitcoin ? t`Add Bitcoin wallet` : t`Add deposit wallet`}
        size={720}
        locked={isBusy || hasWords}
        onClose={leave}
        foot={foot}
      >
        <div className="flex flex-col gap-5">
          {kind === 'xpub' && <Stepper label={t`Steps`} steps={STEPS.map((name) => t(name))} current={step} />}
          {step === 0 && !hasWords && !isBitcoin && (
            <RadioGroup
              legend={t`Networks`}
              options={FAMILIES.map(({ value, hint }) => ({ value, label: FAMILY_NAMES[value], hint: t(hint) }))}
              value={family}
              onChange={(value) => setFamily(value === TRON ? TRON : EVM)}
            />
          )}
          {step === 0 && !hasWords && !isBitcoin && (
            <RadioGroup
              legend={t`Kind of wallet`}
              options={KINDS.map(({ value, label, hint }) => ({ value, label: t(label), hint: t(hint) }))}
              value={kind}
              onChange={setKind}
            />
          )}
          {kind === 'contract' && (
            <p className="text-body text-muted">
              <Trans>
                The next page walks through it: connect the wallet that will own the contract, choose the cold address,
                look everything over, sign. Further EVM networks get the same addresses.
              </Trans>
            </p>
          )}
          {kind === 'xpub' && step === 0 && mayMake && !hasWords && (
            <RadioGroup
              legend={t`Where is the wallet?`}
              options={SOURCES.map(({ value, label, hint }) => ({ value, label: t(label), hint: t(hint) }))}
              value={source}
              onChange={setSource}
            />
          )}
          <div ref={fields} onChange={onChange}>
            {kind === 'xpub' && step === 0 && source === 'paste' && (
              <PasteKeyStep formId={FORM} family={family} network={network} onBusy={setBusy} onAccount={onAccount} />
            )}
            {kind === 'xpub' && step === 0 && source === 'make' && mayMake && (
              <SeedPhraseStep
                key={timesBack}
                formId={FORM}
                family={family}
                onBusy={setBusy}
                onShown={() => setHasWords(true)}
                onAccount={onAccount}
              />
            )}
            {step === 1 && account !== undefined && (
              <CompareStep formId={FORM} account={account} isMade={source === 'make'} onDone={() => setStep(2)} />
            )}
            {step === 2 && account !== undefined && (
              <ReviewStep formId={FORM} account={account} wallets={wallets} onBusy={setBusy} onAdded={onAdded} />
            )}
          </div>
        </div>
      </Dialog>
      <DiscardDialog {...question} />
    </>
  )
}
