# Substitutes for the images of others in compose, whose registry no test reaches: the same programs, started in the same way.
ARG BASE
FROM ${BASE} AS postgres
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql && rm -rf /var/lib/apt/lists/*
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    PGDATA=/var/lib/postgresql/data
COPY start-postgres.sh /usr/local/bin/
VOLUME /var/lib/postgresql/data
# A fast shutdown: the signal of a stop would wait for every client.
STOPSIGNAL SIGINT
ENTRYPOINT ["/bin/sh", "/usr/local/bin/start-postgres.sh"]
CMD ["postgres"]

FROM ${BASE} AS nats
COPY nats-server /usr/local/bin/
ENTRYPOINT ["nats-server"]

FROM ${BASE} AS objects
RUN apt-get update && apt-get install --yes --no-install-recommends wget && rm -rf /var/lib/apt/lists/*
COPY weed /usr/bin/
