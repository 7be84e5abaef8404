import { AT, me, project, sandboxConfiguration } from './answers.ts'
import type { Answers } from './stub-server.ts'

/** The first addresses of the key that the tests paste. */
export const FIRST_ADDRESSES = [
  '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0',
  '0xb6716976A3ebe8D39aCEB04372f22Ff8e6802D7A',
]

/** A deposit wallet of an extended public key, with the projects that use it. */
export function depositWallet(
  id: number,
  name: string,
  projectIds: readonly number[],
  firstAddresses = FIRST_ADDRESSES,
) {
  const link = { walletName: name, family: 'ETH_Family', walletID: id, blockchainFamilyID: 1 }
  return {
    id,
    createdAt: AT,
    updatedAt: AT,
    name,
    family: 'ETH_Family',
    blockchainFamilyID: 1,
    secretType: 'xpub',
    walletType: 'deposit_wallet',
    walletSubType: 'eoa',
    memberID: 1,
    status: 'active',
    default: true,
    canDelete: false,
    abi: null,
    bytecode: null,
    salt: null,
    masterAddress: null,
    fund_sweeper_address: null,
    publicKey: null,
    address: null,
    balance: '0',
    externalPlatformWallets: projectIds.map((externalPlatformID) => ({
      ...link,
      externalPlatformID,
      changeOrDeleteRisky: false,
    })),
    pendingLinks: [],
    walletScws: [],
    walletxpubs: [
      {
        family: 'ETH_Family',
        fingerprint: '1a2b3c4d',
        path: "m/44'/60'/0'",
        xpubMasked: 'xpub6D…wnATt',
        firstAddresses,
      },
    ],
    walletFunctions: [],
    floatLimitInUSD: null,
    blockchainCode: null,
    usableAt: null,
    lastUsedAt: null,
    addressCount: 412,
    poolSize: 2000,
  }
}

/** What the page of deposit wallets asks for. */
export const walletAnswers = (wallets: readonly object[], role?: string): Answers => ({
  'GET /member/me': () => me(role),
  'GET /wallets': () => wallets,
  'GET /blockchains': () => [],
  'GET /configuration/default': () => sandboxConfiguration,
  'GET /external-platform/all': () => [project(7, 'Acme'), project(8, 'Beta')],
  'GET /external-platform/details': () => [],
})
