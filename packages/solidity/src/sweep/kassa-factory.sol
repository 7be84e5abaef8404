// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity 0.8.37;

import {KassaVault} from "./kassa-vault.sol";

/// Creates vaults. It has no owner, no state and no right over what it created.
contract KassaFactory {
    event VaultCreated(address indexed vault, address indexed owner, address collector, bytes32 salt);

    /// Creates the caller's vault; whoever calls is its owner. Reverts where the caller has one with this salt.
    function createVault(bytes32 salt, address collector) external returns (KassaVault) {
        return _create(salt, collector);
    }

    /// The same under the name that published deployment scripts call.
    function createFundSweeperContract(bytes32 salt, address collector) external returns (KassaVault) {
        return _create(salt, collector);
    }

    /// The address of a vault, created or not. The owner is part of it, so nobody can take it first;
    /// the collector is not, so it is the same on chains with another collector.
    function vaultAddress(address owner, bytes32 salt) external view returns (address) {
        bytes32 initHash = keccak256(abi.encodePacked(type(KassaVault).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, initHash)))));
    }

    function _create(bytes32 salt, address collector) private returns (KassaVault vault) {
        vault = new KassaVault{salt: salt}(msg.sender);
        vault.initialize(collector);
        emit VaultCreated(address(vault), msg.sender, collector, salt);
    }
}
