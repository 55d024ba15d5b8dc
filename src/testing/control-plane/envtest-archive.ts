import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isKubewrightError } from '../../base/index.js'
import { ArchiveUnsafeError } from './archive-errors.js'
import type { AssetFolder } from './asset-inventory.js'
import { type Component, fileNameOf, type Platform } from './component.js'
import { downloadVerified } from './download.js'
import type { OnProgress } from './progress.js'
import { tarFiles } from './tar-entries.js'

/** Where an archive is and what it must be. */
export interface ArchiveSource {
  /** An https address of a tar.gz with the binaries. */
  readonly url: string
  /** Its SHA-512 in lower-case hexadecimal. */
  readonly sha512: string
  /** PEM of the authorities that the server's certificate is checked with; absent: those of the system. */
  readonly ca?: string
}

/** What the official archive holds. The controller manager, the scheduler and kwok are not in it. */
export const archiveComponents: readonly Component[] = ['etcd', 'kube-apiserver', 'kubectl']

// The SHA-512 of each official archive that we trust, from envtest-releases.yaml of kubernetes-sigs/controller-tools.
// A version that is not here is built with Go; to trust one more, add its lines.
const pinned: Readonly<Record<string, string>> = {
  'v1.36.2-darwin-amd64':
    'b4fe9f973cd1992e3880f8b230ed32c0c243b83371591e3e3315f4404df2cdbef8ee94eeb9bb245b7e5feb987d5c4a76c43e0877654ab73f00d7bbc2b9984514',
  'v1.36.2-darwin-arm64':
    '9278f9e5af556b2f1f2d139769c1f0d717c7b4426917fdebdba898bcb725a916e4910d6160886194ff9be9589ea7c5c32c2b8ae0754703874b7c8ba8ddfc41ce',
  'v1.36.2-linux-amd64':
    'ea743186c8a799f5cf8faf16969f86189d003cb7d130e0ac4b58789f1e5748dcf30ebe91c837a10d5ac415383da3e10b9e64d65785c938c23e739781cfb76f08',
  'v1.36.2-linux-arm64':
    '2d72ee985a8e262a3c57dc9f7f0fd891f6a8c7bf7ebaa2db6dc6d8eac8ae28181afe51c1f368b67756cdb40b10de9b205609e1726e5f27f7c6d824dd9c6649ac',
  'v1.36.2-linux-ppc64le':
    'ff3b84074f56121109c0063a467c900081dcaff725f51d70a0b32cee60038ef3f581257cf93327e98988cdbdeb4af12ac7a86267ce74817940b490fd53d7c1f0',
  'v1.36.2-linux-s390x':
    'f28eaa0d67659bd8a5d5ff3980685559d01a4ab21b3774d2b8c46150c6019c18e3402a464d1d0c718e531ac94deba5f1354dbdfa35071b5b6e15505615ed6561',
  'v1.36.2-windows-amd64':
    '606009571a5b039e6dddd3433baffebef26fd9c5999160ab1fe94ee5ae0b9a7632fad4a56949427497ce080f80fc95f46e76f16aba96b0123c12e4bb7f6ee12a',
  'v1.36.2-windows-arm64':
    'f450e4e37de11679969af72549eb345340b3cf8c3e8f7172bf3c21d81442b21c8aa427a56f200fae8c9bdd362ad913f78f530779a47b2b35c22cd911176f0ca0',
}

/** The official archive for this version and platform, if its checksum is pinned here. */
export function officialArchive(version: string, platform: Platform): ArchiveSource | undefined {
  const sha512 = pinned[`${version}-${platform.os}-${platform.arch}`]
  if (sha512 === undefined) return undefined
  const file = `envtest-${version}-${platform.os}-${platform.arch}.tar.gz`
  return {
    url: `https://github.com/kubernetes-sigs/controller-tools/releases/download/envtest-${version}/${file}`,
    sha512,
  }
}

export interface ArchiveUnpacking {
  readonly source: ArchiveSource
  readonly assets: AssetFolder
  readonly components: readonly Component[]
  /** An empty folder for the archive and what comes out of it. */
  readonly workshop: string
  readonly onProgress: OnProgress
  readonly signal?: AbortSignal
}

/** Downloads, verifies and unpacks; returns the files of those components that the archive has. */
export async function unpackArchive(unpacking: ArchiveUnpacking): Promise<ReadonlyMap<Component, string>> {
  const { source, workshop, signal } = unpacking
  const archive = join(workshop, 'archive.tar.gz')
  await downloadVerified({
    ...source,
    file: archive,
    ...(signal === undefined ? {} : { signal }),
    onBytes: (receivedBytes, totalBytes) =>
      unpacking.onProgress({ kind: 'downloading', url: source.url, receivedBytes, totalBytes }),
  })
  const unpacked = await extract(archive, unpacking)
  await rm(archive)
  return unpacked
}

async function extract(
  archive: string,
  unpacking: ArchiveUnpacking,
): Promise<ReadonlyMap<Component, string>> {
  const { assets, components, workshop } = unpacking
  const wanted = new Map(components.map((component) => [fileNameOf(component, assets.platform), component]))
  const unpacked = new Map<Component, string>()
  const compressed = createReadStream(archive)
  const tar = createGunzip()
  const flow = pipeline(compressed, tar)
  // Its failure reaches the reader of `tar`; without this it would also be an unhandled rejection.
  flow.catch(() => {})
  try {
    for await (const file of tarFiles(tar)) {
      const name = posix.basename(file.name)
      const component = wanted.get(name)
      if (component === undefined) continue
      // Our own name in our own folder: the archive decides about the content only.
      const target = join(workshop, name)
      await pipeline(file.content, createWriteStream(target, { mode: 0o755 }))
      unpacked.set(component, target)
    }
  } catch (error) {
    if (isKubewrightError(error)) throw error
    throw new ArchiveUnsafeError('it is not a gzip-compressed tar archive', error)
  } finally {
    compressed.destroy()
    tar.destroy()
  }
  return unpacked
}
