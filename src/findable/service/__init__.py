"""Use cases of Findable, one function each, with their transactions and permission checks.

Every function is blocking and takes the `Service` first: ``reports.get(service, caller, 7)``. A coroutine calls it as ``await
service.run(reports.get, caller, 7)``, which uses the service's bounded threads. Failures are raised as `findable.errors.RequestError`.
"""
