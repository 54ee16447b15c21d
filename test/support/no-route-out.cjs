// Read by every process of a stack before its program (NODE_OPTIONS): a firewall without a route out. Only the machine itself
// can be reached; every other attempt fails, and is noted in the file KINORA_TEST_ATTEMPTS.
const { appendFileSync } = require('node:fs');
const dns = require('node:dns');
const net = require('node:net');

const LOCAL = /^(localhost|127\.|::1$|0\.0\.0\.0$|$)/;

function refuse(host) {
  appendFileSync(process.env.KINORA_TEST_ATTEMPTS, `${process.argv[1]}: ${host}\n`);
  return Object.assign(new Error(`connect ENETUNREACH ${host}`), { code: 'ENETUNREACH' });
}

const connect = Reflect.get(net.Socket.prototype, 'connect');
net.Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof first === 'object' && first !== null ? (first.path ? '' : (first.host ?? '')) : '';
  if (LOCAL.test(host)) return connect.apply(this, args);
  process.nextTick(() => this.destroy(refuse(host)));
  return this;
};

const { lookup } = dns;
dns.lookup = (name, ...rest) => {
  if (LOCAL.test(name)) return lookup(name, ...rest);
  process.nextTick(rest.at(-1), refuse(name));
};
