/** Webhooks reach public addresses only, whatever form an address has (contract: addresses of webhooks). */
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../src/webhooks/address.ts';
import { parseEndpoint } from '../../src/webhooks/post.ts';

/** First and last addresses of each network that is not public. */
const closed = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.1', '127.255.255.255'],
  ...['169.254.0.0', '169.254.169.254', '169.254.255.255', '172.16.0.0', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1'],
  ...['192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.7', '203.0.113.7'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    '::1',
    '::7f00:1',
    'fc00::1',
    'fdff::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    'ff0e::1',
  ],
  ...['100::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:10::1', '2001:20::1', '2001:db8::1', '3fff::1', '5f00::1'],
  // IPv4 addresses within IPv6: mapped, translated (NAT64), 6to4.
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.1.2.3', '0:0:0:0:0:ffff:a9fe:a9fe', '::ffff:0:0'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a01:203', '64:ff9b:1::808:808', '2002:7f00:1::1', '2002:808:808::1'],
  ...['', 'example.com', '127.1', '0x7f000001', '1.2.3', '999.1.1.1'],
];
const open = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
  ],
  ...[
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
  ],
  ...['2000::1', '2001:200::1', '2001:4860:4860::8888', '2606:4700::1111', '2003::1', '3ffe::1', '::ffff:8.8.8.8', '::ffff:808:808'],
  ...['64:ff9b::8.8.8.8', '64:ff9b::808:808'],
];

test.each(closed)('%j is not public', (address) => expect(isPublicAddress(address)).toBe(false));
test.each(open)('%j is public', (address) => expect(isPublicAddress(address)).toBe(true));

describe('the address of an endpoint', () => {
  const refused = { allowsPrivate: false };
  test.each([
    // `URL` reads these as 127.0.0.1 or 10.0.0.1.
    ...['https://0177.0.0.1/', 'https://0x7f.1/', 'https://2130706433/', 'https://127.1/', 'https://10.1/', 'https://[::ffff:127.0.0.1]/'],
    ...['https://[::1]/', 'https://169.254.169.254/latest', 'https://１２７.0.0.1/', 'https://%31%32%37.0.0.1/'],
  ])('%s is not public', (url) => {
    expect(() => parseEndpoint(url, refused)).toThrow('The address of a webhook is not public');
    expect(parseEndpoint(url, { allowsPrivate: true }).protocol).toBe('https:');
  });

  test.each([
    'http://example.com/',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:1',
    'example.com',
    '',
    `https://example.com/${'x'.repeat(2_000)}`,
  ])('%s is no https address', (url) => expect(() => parseEndpoint(url, refused)).toThrow('The address of a webhook is an https:// URL'));

  test('it holds no password, and no fragment is kept', () => {
    expect(() => parseEndpoint('https://user:secret@example.com/', refused)).toThrow('no user name and no password');
    expect(parseEndpoint('https://example.com/hook?a=1#b', refused).href).toBe('https://example.com/hook?a=1');
  });
});
