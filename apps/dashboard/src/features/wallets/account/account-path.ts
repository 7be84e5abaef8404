/** The account of EVM networks (BIP-44, SLIP-44 coin 60): the level whose public key the server is given. */
export const ACCOUNT_PATH = "m/44'/60'/0'"
