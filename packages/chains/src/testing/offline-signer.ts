import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { Transaction } from '@scure/btc-signer'
import { Psbt } from 'bitcoinjs-lib'

/** BIP-84 of test networks, as SLIP-132 writes its keys. */
const VPUB = { public: 0x045f1cf6, private: 0x045f18bc }

/** The account of a wallet on test networks (BIP-84), made from a name; its extended key is a vpub. */
export function accountNamed(name: string): HDKey {
  return HDKey.fromMasterSeed(Buffer.alloc(32, name), VPUB).derive("m/84'/1'/0'")
}

/** The private key at a place below the account, as a wallet with the seed derives it. */
type KeyAt = (index: number) => Uint8Array

/** Signs a PSBT as another wallet does, from its contents only; base64 in and out. */
export function signPsbt(text: string, keyAt: KeyAt): string {
  const psbt = Psbt.fromBase64(text)
  for (const [at, { bip32Derivation }] of psbt.data.inputs.entries()) {
    const key = keyAt(Number(bip32Derivation?.[0]?.path.split('/').at(-1)))
    const sign = (digest: Uint8Array) => secp256k1.sign(digest, key, { prehash: false })
    psbt.signInput(at, { publicKey: secp256k1.getPublicKey(key), sign })
  }
  return psbt.toBase64()
}

/** What a PSBT says of its first coin: what it holds, and the fingerprint of the account that signs for it. */
export function firstCoin(text: string): { readonly units: bigint; readonly fingerprint: number | undefined } {
  const { witnessUtxo, bip32Derivation } = Transaction.fromPSBT(Buffer.from(text, 'base64')).getInput(0)
  return { units: witnessUtxo?.amount ?? 0n, fingerprint: bip32Derivation?.[0]?.[1].fingerprint }
}

/** The signed bytes, in hex, of a transaction by which an owner spends the first coin of a PSBT as they like. */
export function spendElsewhere(
  text: string,
  outputs: readonly { readonly script: Uint8Array; readonly amount: bigint }[],
  keyAt: KeyAt,
): string {
  const { txid, index, witnessUtxo, bip32Derivation } = Transaction.fromPSBT(Buffer.from(text, 'base64')).getInput(0)
  if (!txid || index === undefined || !witnessUtxo) throw new Error('The batch has no coins')
  const tx = new Transaction()
  tx.addInput({ txid, index, witnessUtxo })
  for (const output of outputs) tx.addOutput(output)
  tx.signIdx(keyAt(bip32Derivation?.[0]?.[1].path.at(-1) ?? 0), 0)
  tx.finalize()
  return tx.hex
}
