import { describe, expect, test } from 'vitest'
import { tarFiles } from './tar-entries.js'

interface TarEntry {
  readonly name: string
  readonly prefix?: string
  readonly type?: string
  readonly link?: string
  readonly content?: string
}

/** A writer that does not ask whether what it writes is wise: real tools refuse to make most of these. */
function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, prefix = '', type = '0', link = '', content = '' }) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000755\0', 100)
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write(' '.repeat(8), 148)
    header.write(type, 156)
    header.write(link, 157)
    header.write('ustar\x0000', 257)
    header.write(prefix, 345)
    const sum = header.reduce((total, octet) => total + octet, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
    body.write(content, 'latin1')
    return [header, body]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function unpack(bytes: Buffer, pieceSize = 100): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for await (const file of tarFiles(inPieces(bytes, pieceSize))) {
    let content = ''
    for await (const piece of file.content) content += Buffer.from(piece).toString('latin1')
    files[file.name] = content
  }
  return files
}

const unsafe = expect.objectContaining({ code: 'KW_ARCHIVE_UNSAFE' })

test.each([1, 511, 512, 100_000])(
  'files come out as they went in, whatever the pieces (%d octets)',
  async (size) => {
    const archive = tarOf([
      { name: 'controller-tools/', type: '5' },
      { name: 'controller-tools/envtest/etcd', content: 'e'.repeat(1500) },
      { name: 'empty', content: '' },
      { name: 'last', content: 'x'.repeat(512) },
    ])
    expect(await unpack(archive, size)).toEqual({
      'controller-tools/envtest/etcd': 'e'.repeat(1500),
      empty: '',
      last: 'x'.repeat(512),
    })
  },
)

test('a file whose content nobody reads is passed over', async () => {
  const names: string[] = []
  const archive = tarOf([
    { name: 'a', content: 'a'.repeat(1000) },
    { name: 'b', content: 'b' },
  ])
  for await (const file of tarFiles(inPieces(archive, 7))) names.push(file.name)
  expect(names).toEqual(['a', 'b'])
})

test('a long name that is split in two fields is put together', async () => {
  expect(await unpack(tarOf([{ name: 'etcd', prefix: 'some/folder', content: '1' }]))).toEqual({
    'some/folder/etcd': '1',
  })
})

test('pax headers that only describe are passed over', async () => {
  const record = '30 mtime=1700000000.123456789\n'
  const archive = tarOf([
    { name: 'PaxHeaders/etcd', type: 'x', content: record },
    { name: 'etcd', content: '1' },
  ])
  expect(await unpack(archive)).toEqual({ etcd: '1' })
})

describe('an archive is refused', () => {
  test.each([
    ['a path that climbs out', { name: '../../etc/passwd', content: 'x' }],
    ['a path that climbs out in the middle', { name: 'a/../../b', content: 'x' }],
    ['an absolute path', { name: '/etc/passwd', content: 'x' }],
    ['a climbing prefix', { name: 'etcd', prefix: '..', content: 'x' }],
    ['a path of Windows', { name: 'a\\..\\b', content: 'x' }],
    ['a drive of Windows', { name: 'C:etcd', content: 'x' }],
    ['a symbolic link', { name: 'etcd', type: '2', link: '/bin/sh' }],
    ['a hard link', { name: 'etcd', type: '1', link: 'kubectl' }],
    ['a device', { name: 'etcd', type: '3' }],
    ['a GNU long name', { name: '././@LongLink', type: 'L', content: 'very/long' }],
    ['a pax record that renames', { name: 'p', type: 'x', content: '19 path=../../evil\n' }],
  ] satisfies [string, TarEntry][])('with %s', async (_what, entry) => {
    await expect(unpack(tarOf([entry]))).rejects.toThrow(unsafe)
  })

  test('when it ends in the middle of a file', async () => {
    const archive = tarOf([{ name: 'etcd', content: 'x'.repeat(5000) }])
    await expect(unpack(archive.subarray(0, 2000))).rejects.toThrow(unsafe)
  })

  test('when a header was changed', async () => {
    const archive = tarOf([{ name: 'etcd', content: 'x' }])
    archive[0] = 0x66
    await expect(unpack(archive)).rejects.toThrow(unsafe)
  })
})
